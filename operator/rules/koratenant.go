package rules

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/sealed"
)

// KoraTenant gives the faults of a tenant that it shows by itself (R50). Browsers are sent
// to the issuer, so that it is no name of the cluster's own.
func KoraTenant(t *v1alpha1.KoraTenant) field.ErrorList {
	faults := external(field.NewPath("spec", "oidc", "issuer"), t.Spec.OIDC.Issuer)
	for i, ref := range t.Spec.ImagePullSecrets {
		if sealed.Authority(ref.Name) {
			faults = append(faults, invalid(PullSecret(i), ref.Name, "is the name of a certificate authority of the tenant, under which nothing is copied; give the pull Secret another name"))
		}
	}
	return faults
}

// Domains gives the faults of a tenant that lists a domain of another one: people
// of a domain are signed in to one tenant (R50). The tenant itself, by its name,
// may be among the others.
func Domains(t *v1alpha1.KoraTenant, others []v1alpha1.KoraTenant) field.ErrorList {
	return shared(t, others, named)
}

// Unnamed is Domains for an answer to somebody of whom nothing is known: it names none of
// the others (R54).
func Unnamed(t *v1alpha1.KoraTenant, others []v1alpha1.KoraTenant) field.ErrorList {
	return shared(t, others, unnamed)
}

func shared(t *v1alpha1.KoraTenant, others []v1alpha1.KoraTenant, whose func(string) string) field.ErrorList {
	taken := map[v1alpha1.Domain]string{}
	for _, other := range others {
		if other.Name == t.Name {
			continue
		}
		for _, domain := range other.Spec.OIDC.Domains {
			if first, twice := taken[domain]; !twice || other.Name < first {
				taken[domain] = other.Name
			}
		}
	}
	var faults field.ErrorList
	for i, domain := range t.Spec.OIDC.Domains {
		if other, found := taken[domain]; found {
			faults = append(faults, invalid(field.NewPath("spec", "oidc", "domains").Index(i), string(domain), "belongs to %s, and no two tenants may list the same domain; remove it here or there", whose(other)))
		}
	}
	return faults
}

// named tells a tenant by its name, where those who may read tenants read it.
func named(tenant string) string { return "the tenant " + tenant }

// unnamed tells no name: whoever may read tenants finds it.
func unnamed(string) string {
	return "another tenant (kubectl get koratenants -o custom-columns=NAME:.metadata.name,DOMAINS:.spec.oidc.domains tells which)"
}
