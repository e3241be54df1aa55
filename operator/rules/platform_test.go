package rules

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/settings"
)

// R50: a tenant has the Secrets that people made for tenants, and none that the
// platform, the operator, Helm or Kubernetes made, by its name, labels or type; one
// with a tenant's label is that tenant's alone.
func TestSecretsOfThePlatformAreNoTenants(t *testing.T) {
	s := settings.Settings{}
	s.SystemNamespace, s.PlatformSecrets = "kora-system", []string{"kora-secrets"}
	s.Installation.Secrets = settings.InstallationSecrets{Platform: "kora-secrets", Frontend: "frontend", RedisCA: "redis-ca", Gateway: "kora-gateway-tls"}
	p := PlatformOf(s)
	const no, other = `spec.oidc.clientSecretRef.name "NAME" is a Secret of the platform…in kora-system`, `is for the tenant "rich" alone`
	for name, c := range map[string]struct {
		secret corev1.Secret
		want   string
	}{
		"oidc":                      {corev1.Secret{}, ""},
		"own":                       {corev1.Secret{Type: "example.com/oidc"}, ""},
		"mine":                      {labelled(v1alpha1.LabelTenant, "data"), ""},
		"pull":                      {corev1.Secret{Type: corev1.SecretTypeDockerConfigJson}, ""},
		"theirs":                    {labelled(v1alpha1.LabelTenant, "rich"), other},
		"kora-secrets":              {corev1.Secret{}, no},
		"frontend":                  {corev1.Secret{}, no},
		"redis-ca":                  {corev1.Secret{}, no},
		"kora-gateway-tls":          {corev1.Secret{}, no},
		"kora-operator-hash-key":    {corev1.Secret{}, no},
		"kora-operator-webhook-ca":  {corev1.Secret{}, no},
		"sh.helm.release.v1.kora.1": {corev1.Secret{}, no},
		"renamed":                   {labelled(v1alpha1.LabelManagedBy, v1alpha1.Operator), no},
		"release":                   {labelled("owner", "helm"), no},
		"helm":                      {corev1.Secret{Type: "helm.sh/release.v1"}, no},
		"tls":                       {corev1.Secret{Type: corev1.SecretTypeTLS}, no},
		"token":                     {corev1.Secret{Type: corev1.SecretTypeServiceAccountToken}, no},
		"node":                      {corev1.Secret{Type: corev1.SecretTypeBootstrapToken}, no},
	} {
		c.secret.Name = name
		check(t, name, p.Granted(ClientSecret(), "data", &c.secret), strings.ReplaceAll(c.want, "NAME", name))
	}
}

func labelled(key, value string) corev1.Secret {
	s := corev1.Secret{}
	s.Labels = map[string]string{key: value}
	return s
}
