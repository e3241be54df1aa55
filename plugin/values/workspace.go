package values

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/spelling"
)

// workspace checks agents.workspace (R7). An empty storageClassName is the
// cluster's default class, as in the chart's own values.
func (c *checker) workspace(v value) {
	c.size(v.child("size"), "10Gi")
	c.name(v.child("storageClassName"), "a storage class", validation.IsDNS1123Subdomain)
	c.accessModes(v.child("accessModes"))
}

// accessModes are ones that Kubernetes knows, and such that a session-manager and
// its sandboxes can write to the volume at the same time (R7, R8).
func (c *checker) accessModes(v value) {
	usable, doubtful := false, false
	for _, item := range v.items() {
		switch mode := corev1.PersistentVolumeAccessMode(item.text()); mode {
		case corev1.ReadWriteOnce, corev1.ReadWriteMany:
			usable = true
		case corev1.ReadOnlyMany:
		case corev1.ReadWriteOncePod:
			doubtful = true
			f := item.fault(faults.BadAccess, "ReadWriteOncePod lets one pod mount the volume, and session-manager and sandbox are two")
			f.Expected = "ReadWriteOnce or ReadWriteMany"
			c.refuse(f)
		default:
			doubtful = true
			c.unknownMode(item)
		}
	}
	if v.given() && v.items() != nil && !usable && !doubtful {
		f := v.fault(faults.BadAccess, "session-manager and sandbox cannot both write to the workspace")
		f.Found, f.Expected = strings.Join(v.texts(), ", "), "ReadWriteOnce or ReadWriteMany among the modes"
		c.refuse(f)
	}
}

// unknownMode refuses a text; anything else is of the wrong type already.
func (c *checker) unknownMode(item value) {
	if item.node.Tag != "!!str" {
		return
	}
	f := item.fault(faults.BadAccess, "not an access mode")
	f.Expected = "ReadWriteOnce or ReadWriteMany"
	if near := fields.Nearest(item.text(), []string{"ReadWriteOnce", "ReadWriteMany"}); near != "" {
		f.Fix = "did you mean " + near + "?"
	}
	c.refuse(f)
}

func (v value) texts() []string {
	var out []string
	for _, item := range v.items() {
		out = append(out, item.text())
	}
	return out
}

// name refuses a text that is not the name of what it names; an empty one is
// none.
func (c *checker) name(v value, what string, faulty func(string) []string) {
	if v.text() == "" {
		return
	}
	if reasons := faulty(v.text()); len(reasons) > 0 {
		f := v.fault(faults.BadName, fmt.Sprintf("%q is not the name of %s", short(v.text()), what))
		f.Expected = spelling.Wanted(reasons)
		if strings.HasPrefix(reasons[0], "must be no more than") {
			f.Fix = "use a shorter one"
		}
		c.refuse(f)
	}
}
