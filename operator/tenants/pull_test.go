package tenants_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// copied waits until the copy of a pull Secret holds a password.
func copied(t *testing.T, w *operatortest.World, namespace, name, password string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		got := &corev1.Secret{}
		if err := w.Admin.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, got); err != nil {
			return err
		}
		if !bytes.Contains(got.Data[corev1.DockerConfigJsonKey], []byte(password)) {
			return fmt.Errorf("%s/%s has other content", namespace, name)
		}
		return nil
	})
}

// R21, R50: pull Secrets of the chart and of the tenant are copied and kept equal:
// a changed one is seen on the periodic pass, and one that is no longer named goes.
func TestPullSecretsAreKeptEqual(t *testing.T) {
	w := operatortest.New(t, map[string]any{
		"global":   map[string]any{"imagePullSecrets": []any{"everyones"}},
		"operator": map[string]any{"syncPeriod": "1s"},
	})
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	pullSecret(t, w, "everyones", "one")
	own := pullSecret(t, w, "own", "two")
	o := tenant(t, w, "puller", func(o *v1alpha1.KoraTenant) { o.Spec.ImagePullSecrets = []v1alpha1.LocalReference{{Name: "own"}} })
	ready(t, w, "puller")
	copied(t, w, "kora-tenant-puller", "everyones", "one")
	copied(t, w, "kora-tenant-puller", "own", "two")

	own.Data[corev1.DockerConfigJsonKey] = []byte(`{"auths":{"registry.example.com":{"password":"rotated"}}}`)
	if err := w.Admin.Update(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	copied(t, w, "kora-tenant-puller", "own", "rotated")
	changed := get(t, w, &corev1.Secret{}, "kora-tenant-puller", "own")
	patch(t, w, changed, `{"data":{".dockerconfigjson":"e30="}}`)
	copied(t, w, "kora-tenant-puller", "own", "rotated")

	account := get(t, w, &corev1.ServiceAccount{}, "kora-tenant-puller", "default")
	if len(account.ImagePullSecrets) != 2 {
		t.Errorf("sandboxes pull with %v", account.ImagePullSecrets)
	}
	patch(t, w, o, `{"spec":{"imagePullSecrets":null}}`)
	missing(t, w, changed)
	operatortest.Eventually(t, func() error {
		account := get(t, w, &corev1.ServiceAccount{}, "kora-tenant-puller", "default")
		if len(account.ImagePullSecrets) != 1 || account.ImagePullSecrets[0].Name != "everyones" {
			return fmt.Errorf("sandboxes pull with %v", account.ImagePullSecrets)
		}
		return nil
	})
	ready(t, w, "puller")
	steady(t, w, func() {}) // and passes every second write nothing
}

// R50, bad input: what is named wrongly is told with its field, nothing else of
// the tenant waits for it, and no other Secret of the platform is ever copied.
func TestWrongPullSecretsAreTold(t *testing.T) {
	w := world(t)
	platform := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-secrets"}, Data: map[string][]byte{"DB_PASSWORD": []byte("planted-secret")}}
	if err := w.Admin.Create(t.Context(), platform); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Admin.Delete(context.Background(), platform) })
	for name, c := range map[string]struct{ secret, reason, want string }{
		"absent":    {"nowhere", v1alpha1.ReasonReferenceNotFound, "spec.imagePullSecrets[0].name: there is no Secret nowhere in the namespace kora-system: make it"},
		"platform":  {"kora-secrets", v1alpha1.ReasonInvalid, `Secret kora-secrets is of the type "Opaque"`},
		"authority": {v1alpha1.TenantCA, v1alpha1.ReasonInvalid, "give the pull Secret another name"},
		"egress":    {v1alpha1.EgressCA, v1alpha1.ReasonInvalid, "give the pull Secret another name"},
	} {
		t.Run(name, func(t *testing.T) {
			tenant(t, w, "wrong-"+name, func(o *v1alpha1.KoraTenant) { o.Spec.ImagePullSecrets = []v1alpha1.LocalReference{{Name: c.secret}} })
			says(t, w, "wrong-"+name, v1alpha1.ConditionNamespaceReady, "False", c.reason, c.want)
			for _, other := range []string{v1alpha1.ConditionCAReady, v1alpha1.ConditionPolicyReady} {
				says(t, w, "wrong-"+name, other, "True", v1alpha1.ReasonSucceeded)
			}
			all := &corev1.SecretList{}
			if err := w.Admin.List(t.Context(), all, client.InNamespace("kora-tenant-wrong-"+name)); err != nil || len(all.Items) != 2 { // its authorities
				t.Errorf("Secrets in the tenant: %d, %v", len(all.Items), err)
			}
		})
	}
}

// R50: a Secret of the tenant's own under the name of a pull Secret is left alone.
func TestOwnSecretUnderTheNameIsLeftAlone(t *testing.T) {
	w := world(t)
	tenant(t, w, "owner", nil)
	ready(t, w, "owner")
	own := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "kora-tenant-owner", Name: "shared"}, Data: map[string][]byte{"a": []byte("b")}}
	if err := w.Admin.Create(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	pullSecret(t, w, "shared", "two")
	patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: "owner"}}, `{"spec":{"imagePullSecrets":[{"name":"shared"}]}}`)
	got := says(t, w, "owner", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonConflict, "left alone")
	for _, item := range got.Status.Inventory {
		if item.Name == "shared" && (item.State != v1alpha1.InventoryConflict || item.Reason == "") {
			t.Errorf("%+v", item)
		}
	}
	if now := get(t, w, &corev1.Secret{}, "kora-tenant-owner", "shared"); now.ResourceVersion != own.ResourceVersion {
		t.Error("it was changed")
	}
}
