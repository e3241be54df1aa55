package guard

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/sealed"
)

// secrets refuses the Secrets of a tenant's namespace that are the operator's: the
// keys of the tenant's certificate authorities, by which an agent could stand in for
// any server, and the copies of the platform's pull Secrets, which are for nodes to
// pull with (R14, R50). The team's own are its own affair.
func (c *checker) secrets(at fields.Path, before, after []sealed.Use) {
	for _, use := range after {
		if slices.Contains(before, use) {
			continue
		}
		v := Violation{Code: faults.ForbiddenVolume, Path: join(at, use.Path), Found: use.Secret, Expected: "a Secret of the team's own"}
		switch {
		case sealed.Operators(use.Secret):
			v.Message, v.Fix = "a patch may not give an agent a Secret that is the operator's own", "take it out of the patch; to verify by the tenant's authority, mount the ConfigMap "+v1alpha1.TenantCA
		case slices.Contains(c.pulls, use.Secret):
			v.Message, v.Fix = "a patch may not give an agent the platform's credentials for registries", "take it out of the patch; what nodes pull with goes into imagePullSecrets"
		default:
			continue
		}
		c.add(v)
	}
}

// variables judges every container's, kora's and those that a patch adds.
func (c *checker) variables(at fields.Path, before, after []corev1.Container) {
	for i := range after {
		var had []sealed.Use
		if was := named(before, after[i].Name); was != nil {
			had = sealed.OfContainer(was)
		}
		c.secrets(at.Item("name", after[i].Name), had, sealed.OfContainer(&after[i]))
	}
}

func pullNames(all []corev1.LocalObjectReference) []string {
	var out []string
	for _, one := range all {
		out = append(out, one.Name)
	}
	return out
}
