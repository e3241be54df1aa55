package patches

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/patches/guard"
)

// sound tells what the API server would refuse of an object (R2), less what
// the settings alone did, and what is refused there already for more.
func (r *run) sound(o *Object) {
	if len(o.history) == 0 {
		return
	}
	if found := guard.Sound(o.built, o.Typed, o.Type); len(found) > 0 {
		r.refuse(o, found, guard.Sound(o.built, o.built, o.Type))
	}
	sidecars := corev1.ResourceList{corev1.ResourceCPU: r.settings.Sidecars.CPU, corev1.ResourceMemory: r.settings.Sidecars.Memory}
	r.refuse(o, guard.Crowded(o.Typed, sidecars), nil)
}

// refuse tells what is wrong now and was not before.
func (r *run) refuse(o *Object, found, before []guard.Violation) {
	for _, v := range found {
		if !slices.Contains(before, v) && !r.told(o, v.Path) {
			r.found = append(r.found, o.refuse(o.passed(v), v))
		}
	}
}

// passed is the patch by which annotations became too long in all, any where
// something else is wrong.
func (o *Object) passed(v guard.Violation) int {
	if v.Message != guard.TooLong {
		return anyPatch
	}
	for i, s := range o.history {
		typed, err := o.state(i)
		if err == nil && slices.ContainsFunc(guard.Sound(o.built, typed, o.Type), func(w guard.Violation) bool { return w.Path == v.Path && w.Message == v.Message }) {
			return s.patch
		}
	}
	return anyPatch
}

// told reports whether a field, or one that holds it, is refused already.
func (r *run) told(o *Object, at fields.Path) bool {
	return slices.ContainsFunc(r.found, func(f faults.Fault) bool {
		return f.Severity == faults.Error && f.Object == o.Title() && f.Field != "" && at.Within(fields.Path(f.Field))
	})
}
