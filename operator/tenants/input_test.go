package tenants_test

import (
	"context"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50, bad input: names of the platform and names that make no namespace are
// refused before the operator sees them.
func TestReservedNamesAreRefused(t *testing.T) {
	w := world(t)
	for name, want := range map[string]string{
		"kube-system": "reserved", "kora-system": "reserved", "default": "reserved", "istio-system": "reserved", "spire-server": "reserved",
		strings.Repeat("a", 52): "at most 51 characters", "a.b": "DNS label", "Data": "metadata.name",
	} {
		o := &v1alpha1.KoraTenant{ObjectMeta: metaNamed(name), Spec: v1alpha1.KoraTenantSpec{OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}}
		if err := w.Admin.Create(t.Context(), o); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	longest := strings.Repeat("a", v1alpha1.MaxTenantName)
	tenant(t, w, longest, nil)
	if got := ready(t, w, longest); len(got.Status.Namespace) != 63 {
		t.Errorf("the longest name makes %q", got.Status.Namespace)
	}
}

// R50, bad input: a platform that runs in a namespace as tenants' are called.
func TestTheSystemNamespaceIsNobodys(t *testing.T) {
	w := operatortest.New(t, nil)
	w.Settings.SystemNamespace = "kora-tenant-platform"
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	tenant(t, w, "platform", nil)
	says(t, w, "platform", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonInvalid, "reserved", "another name")
	err := w.Admin.Get(t.Context(), client.ObjectKey{Name: "kora-tenant-platform"}, &corev1.Namespace{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("the namespace: %v", err)
	}
	w.Requests.Forgive() // there are no rights in a namespace of that name
}

// R50, R51, bad input: a sign-in that cannot work is told with its field, and
// what is planted in a Secret is told nowhere.
func TestSignInIsJudged(t *testing.T) {
	w := world(t)
	secret := named(&corev1.Secret{Data: map[string][]byte{"other": []byte("planted-secret")}}, operatortest.System, "oidc")
	if err := w.Admin.Create(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Admin.Delete(context.Background(), secret) })
	o := tenant(t, w, "signer", func(o *v1alpha1.KoraTenant) {
		o.Spec.OIDC.ClientSecretRef = &v1alpha1.SecretKeyReference{LocalReference: v1alpha1.LocalReference{Name: "absent"}, Key: "secret"}
	})
	says(t, w, "signer", v1alpha1.ConditionReady, "False", v1alpha1.ReasonReferenceNotFound, "spec.oidc.clientSecretRef.name", "Secret absent", "make it")
	patch(t, w, o, `{"spec":{"oidc":{"clientSecretRef":{"name":"oidc"}}}}`)
	got := says(t, w, "signer", v1alpha1.ConditionReady, "False", v1alpha1.ReasonSecretKeyMissing, "spec.oidc.clientSecretRef.key", `"secret"`)
	if c := meta.FindStatusCondition(got.Status.Conditions, v1alpha1.ConditionReady); strings.Contains(c.Message, "planted") {
		t.Error("a Secret's content is told")
	}
	patch(t, w, o, `{"spec":{"oidc":{"clientSecretRef":{"key":"other"}}}}`)
	ready(t, w, "signer")
}

// R50: of two tenants with one domain the elder keeps it; the other one is told
// whose it is, and works in everything else.
func TestDomainsBelongToOneTenant(t *testing.T) {
	w := world(t)
	tenant(t, w, "aaa-elder", func(o *v1alpha1.KoraTenant) { o.Spec.OIDC.Domains = []v1alpha1.Domain{"example.com"} })
	ready(t, w, "aaa-elder")
	o := tenant(t, w, "younger", func(o *v1alpha1.KoraTenant) { o.Spec.OIDC.Domains = []v1alpha1.Domain{"example.org", "example.com"} })
	says(t, w, "younger", v1alpha1.ConditionReady, "False", v1alpha1.ReasonConflict, "spec.oidc.domains", "aaa-elder")
	says(t, w, "younger", v1alpha1.ConditionPolicyReady, "True", v1alpha1.ReasonSucceeded)
	ready(t, w, "aaa-elder")
	patch(t, w, o, `{"spec":{"oidc":{"domains":["example.org"]}}}`)
	ready(t, w, "younger")
}

// R50: a suspended tenant keeps everything, and its policy says so.
func TestSuspendedTenantKeepsAll(t *testing.T) {
	w := world(t)
	o := tenant(t, w, "paused", nil)
	ready(t, w, "paused")
	patch(t, w, o, `{"spec":{"suspended":true}}`)
	got := says(t, w, "paused", v1alpha1.ConditionReady, "False", v1alpha1.ReasonSuspended, "spec.suspended")
	for _, item := range got.Status.Inventory {
		if item.State != v1alpha1.InventoryReady {
			t.Errorf("%+v", item)
		}
	}
	if module := get(t, w, &corev1.ConfigMap{}, "kora-tenant-paused", "kora-opa").Data["tenant.rego"]; !strings.Contains(module, "suspended := true\n") {
		t.Errorf("its policy is\n%s", module)
	}
	patch(t, w, o, `{"spec":{"suspended":false}}`)
	ready(t, w, "paused")
}
