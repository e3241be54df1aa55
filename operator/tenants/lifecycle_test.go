package tenants_test

import (
	"crypto/x509"
	"encoding/pem"
	"slices"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: all that a tenant gets, with exactly the chart's rights; and once it is
// there, nothing is written any more.
func TestTenantGetsAllItsParts(t *testing.T) {
	w := world(t)
	tenant(t, w, "data", nil)
	got := ready(t, w, "data")
	home := get(t, w, &corev1.Namespace{}, "", "kora-tenant-data")
	for key, want := range map[string]string{
		"pod-security.kubernetes.io/enforce": "restricted", "istio-injection": "enabled", v1alpha1.LabelTenant: "data", v1alpha1.LabelManagedBy: v1alpha1.Operator,
	} {
		if home.Labels[key] != want {
			t.Errorf("label %s is %q", key, home.Labels[key])
		}
	}
	if got.Status.Namespace != home.Name {
		t.Errorf("status.namespace is %q", got.Status.Namespace)
	}
	for _, name := range []string{"kora-default-deny", "kora-dns", "kora-gateway", "kora-mesh", "kora-session-managers"} {
		get(t, w, &networkingv1.NetworkPolicy{}, home.Name, name)
	}
	for account, role := range map[string]string{"kora-operator": "kora-operator-tenant", "kora-agents": "kora-agents-tenant", "kora-egress": "kora-egress-tenant"} {
		b := get(t, w, &rbacv1.RoleBinding{}, home.Name, role)
		if b.RoleRef.Name != role || len(b.Subjects) != 1 || b.Subjects[0].Name != account || b.Subjects[0].Namespace != operatortest.System {
			t.Errorf("%s binds %v to %v", role, b.RoleRef, b.Subjects)
		}
	}
	if a := get(t, w, &corev1.ServiceAccount{}, home.Name, "default"); a.AutomountServiceAccountToken == nil || *a.AutomountServiceAccountToken {
		t.Error("sandboxes get a token of the API (R5)")
	}
	published(t, w, got)
	want := []string{"ConfigMap kora-opa", "ConfigMap kora-tenant-ca", "Namespace kora-tenant-data", "NetworkPolicy kora-default-deny", "NetworkPolicy kora-dns",
		"NetworkPolicy kora-gateway", "NetworkPolicy kora-mesh", "NetworkPolicy kora-session-managers", "RoleBinding kora-agents-tenant", "RoleBinding kora-egress-tenant",
		"RoleBinding kora-operator-tenant", "Secret kora-egress-ca", "Secret kora-tenant-ca", "ServiceAccount default"}
	var all []string
	for _, item := range got.Status.Inventory {
		all = append(all, item.Kind+" "+item.Name)
		if item.State != v1alpha1.InventoryReady || item.Reason != "" {
			t.Errorf("%+v", item)
		}
	}
	if !slices.Equal(all, want) {
		t.Errorf("the inventory is %q\nwant %q", all, want)
	}
	steady(t, w, func() { patch(t, w, got, `{"metadata":{"annotations":{"example.com/touched":"yes"}}}`) })
}

// published: the certificate is for everybody, and the key is not beside it.
func published(t *testing.T, w *operatortest.World, got *v1alpha1.KoraTenant) {
	t.Helper()
	open := get(t, w, &corev1.ConfigMap{}, got.Status.Namespace, v1alpha1.TenantCA)
	if len(open.Data) != 1 {
		t.Errorf("published: %v", open.Data)
	}
	block, rest := pem.Decode([]byte(open.Data["ca.crt"]))
	if block == nil || len(rest) > 0 {
		t.Fatalf("published: %q", open.Data["ca.crt"])
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Status.CANotAfter.Time.Equal(certificate.NotAfter) {
		t.Errorf("caNotAfter is %s, the certificate ends %s", got.Status.CANotAfter, certificate.NotAfter)
	}
	state, err := authority.Parse(get(t, w, &corev1.Secret{}, got.Status.Namespace, v1alpha1.TenantCA).Data)
	if err != nil || !state.Current.Certificate.Equal(certificate) {
		t.Errorf("the Secret holds another authority: %v", err)
	}
}

// R50: a namespace that kora did not make is nobody's to take.
func TestForeignNamespaceIsLeftAlone(t *testing.T) {
	w := world(t)
	foreign := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "kora-tenant-foreign", Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelTenant: "foreign"}}}
	if err := w.Admin.Create(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	tenant(t, w, "foreign", func(o *v1alpha1.KoraTenant) { o.Spec.DeletionPolicy = v1alpha1.DeletionDelete })
	says(t, w, "foreign", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonConflict, "takes over no namespace", "another name", "runkora.io/namespace-uid="+string(foreign.UID))
	says(t, w, "foreign", v1alpha1.ConditionReady, "False", v1alpha1.ReasonPartNotReady, "NamespaceReady")
	now := get(t, w, &corev1.Namespace{}, "", foreign.Name)
	if now.ResourceVersion != foreign.ResourceVersion && len(now.Labels) != len(foreign.Labels)+1 { // the API server adds its own
		t.Errorf("it was changed: %v", now.Labels)
	}
	doomed := get(t, w, &v1alpha1.KoraTenant{}, "", "foreign")
	if err := w.Admin.Delete(t.Context(), doomed); err != nil {
		t.Fatal(err)
	}
	missing(t, w, doomed)
	if get(t, w, &corev1.Namespace{}, "", foreign.Name).DeletionTimestamp != nil {
		t.Error("the foreign namespace was deleted with the tenant")
	}
}

// R50: Retain leaves everything but kora's rights, and a tenant of the same name
// finds its namespace and its certificate authority again.
func TestRetainedNamespaceIsTakenUpAgain(t *testing.T) {
	w := world(t)
	first := tenant(t, w, "again", nil)
	ready(t, w, "again")
	secret := get(t, w, &corev1.Secret{}, "kora-tenant-again", v1alpha1.TenantCA)
	if err := w.Admin.Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	missing(t, w, first)
	bindings := &rbacv1.RoleBindingList{}
	if err := w.Admin.List(t.Context(), bindings, client.InNamespace("kora-tenant-again")); err != nil || len(bindings.Items) != 0 {
		t.Errorf("rights that are left: %v %v", bindings.Items, err)
	}
	tenant(t, w, "again", nil)
	ready(t, w, "again")
	if now := get(t, w, &corev1.Secret{}, "kora-tenant-again", v1alpha1.TenantCA); now.UID != secret.UID {
		t.Error("the certificate authority is another one")
	}
}

// R50: a namespace of a KoraTenant that was not deleted through kora is handed
// over by a person, never by itself: on the KoraTenant, as whoever has rights in the
// namespace has none there.
func TestNamespaceOfAnotherUIDIsHandedOver(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	first := tenant(t, w, "restored", nil)
	ready(t, w, "restored")
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	patch(t, w, first, `{"metadata":{"finalizers":null}}`)
	if err := w.Admin.Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	missing(t, w, first)
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	second := tenant(t, w, "restored", nil)
	home := get(t, w, &corev1.Namespace{}, "", "kora-tenant-restored")
	said := says(t, w, "restored", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonConflict, string(first.UID), v1alpha1.AnnotationNamespaceUID+"="+string(home.UID))
	patch(t, w, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: home.Name}}, `{"metadata":{"annotations":{"example.com/touched":"yes"}}}`)
	settle(t, w)
	says(t, w, "restored", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonConflict, string(first.UID))
	patch(t, w, second, `{"metadata":{"annotations":{"runkora.io/namespace-uid":"`+string(home.UID)+`"}}}`)
	ready(t, w, "restored")
	if got := get(t, w, &corev1.Namespace{}, "", home.Name).Annotations[v1alpha1.AnnotationTenantUID]; got != string(said.UID) {
		t.Errorf("the namespace is of %q", got)
	}
}

// R50: nothing is lost before somebody says so, the tenant lives on meanwhile,
// and then all of it goes.
func TestDeletionIsProtected(t *testing.T) {
	w := world(t)
	o := tenant(t, w, "doomed", func(o *v1alpha1.KoraTenant) { o.Spec.DeletionPolicy = v1alpha1.DeletionDelete })
	ready(t, w, "doomed")
	connection := &v1alpha1.Connection{ObjectMeta: metav1.ObjectMeta{Namespace: "kora-tenant-doomed", Name: "github"}, Spec: v1alpha1.ConnectionSpec{
		Hosts: []v1alpha1.Host{"api.github.com"}, Authentication: v1alpha1.Authentication{Type: "none"}}}
	if err := w.Admin.Create(t.Context(), connection); err != nil {
		t.Fatal(err)
	}
	if err := w.Admin.Delete(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	says(t, w, "doomed", v1alpha1.ConditionReady, "False", v1alpha1.ReasonDeleting, "1 Connection (github)", v1alpha1.AnnotationConfirmDeletion, "Retain")
	policy := get(t, w, &networkingv1.NetworkPolicy{}, "kora-tenant-doomed", "kora-default-deny")
	if err := w.Admin.Delete(t.Context(), policy); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		return w.Admin.Get(t.Context(), client.ObjectKeyFromObject(policy), &networkingv1.NetworkPolicy{})
	})
	w.Confirm(t, "doomed")
	missing(t, w, o)
	err := w.Admin.Get(t.Context(), client.ObjectKey{Name: "kora-tenant-doomed"}, &corev1.Namespace{})
	if !apierrors.IsNotFound(err) {
		t.Errorf("the namespace is left: %v", err)
	}
}
