package values

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
)

// pod is what a block of a service says about its pods in Kubernetes' own shapes.
type pod struct {
	NodeSelector   map[string]string   `json:"nodeSelector"`
	Tolerations    []corev1.Toleration `json:"tolerations"`
	Affinity       *corev1.Affinity    `json:"affinity"`
	PodAnnotations map[string]string   `json:"podAnnotations"`
}

// CheckPod returns the faults of what the block of a service, such as
// policyService, says about its pods: the shapes and the rules of the API server
// that the chart's schema leaves open (R20).
func (t *Tree) CheckPod(block string) faults.List {
	c := &checker{tree: t}
	v := t.value(block)
	c.typed(v.child("nodeSelector"), pod{}.NodeSelector)
	c.typed(v.child("tolerations"), pod{}.Tolerations)
	c.typed(v.child("affinity"), pod{}.Affinity)
	c.typed(v.child("podAnnotations"), pod{}.PodAnnotations)
	c.shaken()
	c.keys(v.child("nodeSelector"), label)
	c.owned(v.child("podAnnotations"), annotation)
	c.checksums(v.child("podAnnotations"))
	c.keys(v.child("podAnnotations"), annotation)
	c.read(v.child("podAnnotations"))
	c.scheduling(v)
	return finished(c.found)
}

// checksums of what a service reads roll its pods: kora's win over the user's
// without a word (R11, R18, R23, R36).
func (c *checker) checksums(v value) {
	for _, entry := range v.entries() {
		if strings.HasPrefix(entry.Key.Value, "checksum/") {
			c.refuse(ownedKey(v, entry, annotation, "a checksum of it rolls the pods that read what changed"))
		}
	}
}
