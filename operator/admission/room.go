package admission

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// room gives the fault of a tenant's resource for which there is no room any more, new
// or larger than it was (R51, R54). The images that the operator provides always have
// it: there is one of each name, whoever makes it.
func (v *Validator) room(r admission.Request, o, old v1alpha1.Object) (field.ErrorList, error) {
	_, image := o.(*v1alpha1.SandboxImage)
	if o.GetNamespace() == "" || image && slices.Contains(v.platform.Bundled, o.GetName()) {
		return nil, nil
	}
	full, err := v.held.Take(o, old, r.DryRun != nil && *r.DryRun)
	if err != nil || full == nil {
		return nil, err
	}
	return field.ErrorList{field.Forbidden(field.NewPath("spec"), fmt.Sprintf(
		"would take %d bytes more: one tenant has %d bytes for its resources of the kind %s, and those in %s take %d, each by its spec and some hundred bytes; delete or shrink some of them first",
		full.More, rules.Share, rules.KindOf(o), o.GetNamespace(), full.Taken))}, nil
}
