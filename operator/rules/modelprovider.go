package rules

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// ModelProvider gives the faults of a provider (R51).
func ModelProvider(p *v1alpha1.ModelProvider) field.ErrorList {
	spec := field.NewPath("spec")
	faults := external(spec.Child("endpoint"), p.Spec.Endpoint)
	seen := map[string]string{}
	for i, model := range p.Spec.Models {
		lower := strings.ToLower(model.Name)
		if first, twice := seen[lower]; twice && first != model.Name {
			faults = append(faults, invalid(spec.Child("models").Index(i).Child("name"), model.Name,
				"differs from %s in capitals alone, and callers may write either; keep the one that the provider documents", first))
		}
		seen[lower] = model.Name
	}
	return faults
}

func providerWarnings(p *v1alpha1.ModelProvider) []string {
	for _, model := range p.Spec.Models {
		if model.Weight == nil || *model.Weight > 0 {
			return nil
		}
	}
	return []string{fmt.Sprintf("spec.models: every weight is 0, so %s gets no calls", p.Name)}
}
