package tenants_test

import (
	"context"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants/proof"
	corev1 "k8s.io/api/core/v1"
)

// R50: what the webhook refuses the operator never does, though nobody asked the
// webhook: Secrets of the platform, whatever they are called, are no client's.
func TestSecretsOfThePlatformAreNoClients(t *testing.T) {
	w := world(t)
	certificate := named(&corev1.Secret{Type: corev1.SecretTypeTLS, Data: map[string][]byte{"tls.crt": []byte("c"), "tls.key": []byte("planted")}}, operatortest.System, "some-tls")
	release := named(&corev1.Secret{Type: "helm.sh/release.v1", Data: map[string][]byte{"release": []byte("planted")}}, operatortest.System, "some-release")
	for _, secret := range []*corev1.Secret{certificate, release} {
		if err := w.Admin.Create(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.Admin.Delete(context.Background(), secret) })
	}
	tenant(t, w, "thief", nil)
	ready(t, w, "thief")
	for name, key := range map[string]string{"some-tls": "tls.key", "some-release": "release", proof.KeySecret: "hash-key", "kora-secrets": "DB_PASSWORD"} {
		patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metaNamed("thief")}, `{"spec":{"oidc":{"clientSecretRef":{"name":"`+name+`","key":"`+key+`"}}}}`)
		says(t, w, "thief", v1alpha1.ConditionReady, "False", v1alpha1.ReasonInvalid, "spec.oidc.clientSecretRef.name", name, "is a Secret of the platform")
	}
}

// R50: a pull Secret with a tenant's label is copied to that tenant alone, and a copy of
// before goes.
func TestLabelledPullSecretsAreOneTenants(t *testing.T) {
	w := world(t)
	pullSecret(t, w, "a-pull", "one")
	for _, name := range []string{"team-a", "team-b"} {
		tenant(t, w, name, func(o *v1alpha1.KoraTenant) { o.Spec.ImagePullSecrets = []v1alpha1.LocalReference{{Name: "a-pull"}} })
		ready(t, w, name)
		copied(t, w, v1alpha1.TenantNamespace(name), "a-pull", "one")
	}
	patch(t, w, named(&corev1.Secret{}, operatortest.System, "a-pull"), `{"metadata":{"labels":{"runkora.io/tenant":"team-a"}}}`)
	turn(t, w, "team-b")
	turn(t, w, "team-a")
	missing(t, w, named(&corev1.Secret{}, "kora-tenant-team-b", "a-pull"))
	says(t, w, "team-b", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonInvalid, "spec.imagePullSecrets[0].name", `"team-a" alone`)
	ready(t, w, "team-a")
	copied(t, w, "kora-tenant-team-a", "a-pull", "one")
}
