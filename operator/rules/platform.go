package rules

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/settings"
)

// WebhookCASecret holds the key of the webhooks' certificate authority, in the
// system namespace (R54).
const WebhookCASecret = "kora-operator-webhook-ca"

// Platform is what the rules need to know of the installation.
type Platform struct {
	// SystemNamespace is where the platform runs.
	SystemNamespace string
	// Secrets are the platform's own, which no tenant may name.
	Secrets []string
	// Bundled are the names of the images that the operator keeps in each tenant.
	Bundled []string
	// Base is the one of them that is the platform's in every namespace: a tenant's own
	// under its name does not stay (R53).
	Base string
}

// PlatformOf is the installation that the settings are of, without its images.
func PlatformOf(s settings.Settings) Platform {
	p := Platform{SystemNamespace: s.SystemNamespace}
	of := s.Installation.Secrets
	for _, name := range append(slices.Clone(s.PlatformSecrets), of.Platform, of.Frontend, of.RedisCA, of.Gateway) {
		if name != "" && !slices.Contains(p.Secrets, name) {
			p.Secrets = append(p.Secrets, name)
		}
	}
	return p
}

// Tenant gives the faults of a tenant on this platform: a namespace that is the
// platform's, and Secrets that are by their names (R50).
func (p Platform) Tenant(t *v1alpha1.KoraTenant) field.ErrorList {
	var faults field.ErrorList
	if v1alpha1.TenantNamespace(t.Name) == p.SystemNamespace {
		faults = append(faults, invalid(field.NewPath("metadata", "name"), t.Name, "is reserved: %s is the namespace of kora itself; choose another name", p.SystemNamespace))
	}
	if ref := t.Spec.OIDC.ClientSecretRef; ref != nil {
		faults = append(faults, p.named(ClientSecret(), ref.Name)...)
	}
	for i, ref := range t.Spec.ImagePullSecrets {
		faults = append(faults, p.named(PullSecret(i), ref.Name)...)
	}
	return faults
}

// ClientSecret is where a tenant names the Secret of its OIDC client.
func ClientSecret() *field.Path { return field.NewPath("spec", "oidc", "clientSecretRef", "name") }

// PullSecret is where a tenant names one of its pull Secrets.
func PullSecret(i int) *field.Path {
	return field.NewPath("spec", "imagePullSecrets").Index(i).Child("name")
}

// named refuses the platform's Secrets: those that the settings name, the operator's
// own, and Helm's, which hold every value of the release.
func (p Platform) named(at *field.Path, name string) field.ErrorList {
	own := strings.HasPrefix(name, v1alpha1.Operator+"-") || strings.HasPrefix(name, "sh.helm.release.")
	if !own && !slices.Contains(p.Secrets, name) {
		return nil
	}
	return p.refuse(at, name)
}

func (p Platform) refuse(at *field.Path, name string) field.ErrorList {
	return field.ErrorList{invalid(at, name, "is a Secret of the platform, which no tenant may read; make a Secret of the tenant's own in %s and name it", p.SystemNamespace)}
}

// Granted gives the fault of a Secret of the system namespace that a tenant names and
// may not have (R50): one of the platform's, whatever it is called, or one that is
// labelled for another tenant. Of its values nothing is looked at.
func (p Platform) Granted(at *field.Path, tenant string, s *corev1.Secret) field.ErrorList {
	if faults := p.named(at, s.Name); len(faults) > 0 {
		return faults
	}
	if s.Labels[v1alpha1.LabelManagedBy] == v1alpha1.Operator || s.Labels["owner"] == "helm" || !given(s.Type) {
		return p.refuse(at, s.Name)
	}
	if only, labelled := s.Labels[v1alpha1.LabelTenant]; labelled && only != tenant {
		return field.ErrorList{invalid(at, s.Name, "is for the tenant %q alone, by its label %s; name a Secret of this tenant's, or take the label off", only, v1alpha1.LabelTenant)}
	}
	return nil
}

// given reports whether people make Secrets of a type for a tenant: certificates,
// tokens of ServiceAccounts and of nodes, and releases are the platform's.
func given(t corev1.SecretType) bool {
	switch t {
	case "", corev1.SecretTypeOpaque, corev1.SecretTypeBasicAuth, corev1.SecretTypeDockerConfigJson:
		return true
	}
	return !strings.Contains(string(t), "kubernetes.io/") && !strings.HasPrefix(string(t), "helm.sh/")
}
