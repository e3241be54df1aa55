package values

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
)

// read refuses the annotations of pods that the API server reads and takes no pod
// with (R20).
func (c *checker) read(v value) {
	for _, entry := range v.entries() {
		switch key := entry.Key.Value; key {
		case corev1.PodDeletionCost:
			text := value{node: entry.Value}.text()
			if n, err := strconv.ParseInt(text, 10, 32); err != nil || strconv.FormatInt(n, 10) != text {
				f := badLabel(v, entry, entry.Value, "the cost of deleting a pod is a number", []string{`a whole number as text, such as "100"`})
				f.Fix = "write a whole number as text, or remove it"
				c.refuse(f)
			}
		case corev1.MirrorPodAnnotationKey, "scheduler.alpha.kubernetes.io/tolerations":
			f := entry.Key.Pos.Fault(faults.BadLabel, "the API server takes no pod with this annotation")
			f.Field, f.Found = string(v.path.Child(key)), key
			f.Expected, f.Fix = "annotations of your own", "remove it"
			c.refuse(f)
		}
	}
}
