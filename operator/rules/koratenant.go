package rules

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// WebhookCASecret holds the key of the webhooks' certificate authority, in the
// system namespace (R54).
const WebhookCASecret = "kora-operator-webhook-ca"

// KoraTenant gives the faults of a tenant that it shows by itself (R50).
func KoraTenant(t *v1alpha1.KoraTenant) field.ErrorList {
	return checkURL(field.NewPath("spec", "oidc", "issuer"), t.Spec.OIDC.Issuer)
}

// Platform is what the rules need to know of the installation.
type Platform struct {
	// SystemNamespace is where the platform runs.
	SystemNamespace string
	// Secrets are the platform's own, which no tenant may name.
	Secrets []string
	// Bundled are the names of the images that the operator keeps in each tenant.
	Bundled []string
}

// Tenant gives the faults of a tenant on this platform: a namespace that is the
// platform's, and Secrets that are (R50).
func (p Platform) Tenant(t *v1alpha1.KoraTenant) field.ErrorList {
	var faults field.ErrorList
	if v1alpha1.TenantNamespace(t.Name) == p.SystemNamespace {
		faults = append(faults, invalid(field.NewPath("metadata", "name"), t.Name, "is reserved: %s is the namespace of kora itself; choose another name", p.SystemNamespace))
	}
	spec := field.NewPath("spec")
	if ref := t.Spec.OIDC.ClientSecretRef; ref != nil {
		faults = append(faults, p.secret(spec.Child("oidc", "clientSecretRef", "name"), ref.Name)...)
	}
	for i, ref := range t.Spec.ImagePullSecrets {
		faults = append(faults, p.secret(spec.Child("imagePullSecrets").Index(i).Child("name"), ref.Name)...)
	}
	return faults
}

func (p Platform) secret(at *field.Path, name string) field.ErrorList {
	if name != WebhookCASecret && !slices.Contains(p.Secrets, name) {
		return nil
	}
	return field.ErrorList{invalid(at, name, "is a Secret of the platform, which no tenant may read; make a Secret of the tenant's own in %s and name it", p.SystemNamespace)}
}

// Domains gives the faults of a tenant that lists a domain of another one: people
// of a domain are signed in to one tenant (R50). The tenant itself, by its name,
// may be among the others.
func Domains(t *v1alpha1.KoraTenant, others []v1alpha1.KoraTenant) field.ErrorList {
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
			faults = append(faults, invalid(field.NewPath("spec", "oidc", "domains").Index(i), string(domain),
				"belongs to the tenant %s, and no two tenants may list the same domain; remove it here or there", other))
		}
	}
	return faults
}
