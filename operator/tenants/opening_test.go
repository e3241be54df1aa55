package tenants_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: a NetworkPolicy of somebody else that opens what kora's close is told of; one
// that opens nothing is nobody's business.
func TestForeignPoliciesThatOpenAreTold(t *testing.T) {
	w := world(t)
	tenant(t, w, "opened", nil)
	ready(t, w, "opened")
	meta := func(name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: "kora-tenant-opened", Name: name}
	}
	open := &networkingv1.NetworkPolicy{ObjectMeta: meta("all-open"), Spec: networkingv1.NetworkPolicySpec{
		Ingress: []networkingv1.NetworkPolicyIngressRule{{}}, Egress: []networkingv1.NetworkPolicyEgressRule{{}}}}
	closed := &networkingv1.NetworkPolicy{ObjectMeta: meta("closed"), Spec: networkingv1.NetworkPolicySpec{PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}}}
	for _, o := range []*networkingv1.NetworkPolicy{open, closed} {
		if err := w.Admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	turn(t, w, "opened")
	got := says(t, w, "opened", v1alpha1.ConditionPolicyReady, "True", v1alpha1.ReasonSucceeded, "is open by all-open, which kora did not make")
	operatortest.Eventually(t, func() error {
		for _, item := range got.Status.Inventory {
			if item.Name == "closed" || item.Name == "all-open" && item.State != v1alpha1.InventoryConflict {
				t.Errorf("%+v", item)
			}
			if item.Name == "all-open" {
				return nil
			}
		}
		return fmt.Errorf("not in the inventory: %+v", got.Status.Inventory)
	})
	if err := w.Admin.Delete(t.Context(), open); err != nil {
		t.Fatal(err)
	}
	turn(t, w, "opened")
	operatortest.Eventually(t, func() error {
		got := ready(t, w, "opened")
		for _, item := range got.Status.Inventory {
			if item.Name == "all-open" {
				return fmt.Errorf("%+v", item)
			}
		}
		return nil
	})
}

// R50: what is being deleted and held by somebody's finalizer is in force as before, and
// is put right as before. What cannot be put right, being immutable, would stay as
// whoever wrote it has it: the finalizers are taken off, and it is made anew at once.
func TestWhatIsHeldInDeletionIsPutRight(t *testing.T) {
	w := world(t)
	tenant(t, w, "held", nil)
	ready(t, w, "held")
	settle(t, w)
	const at, open = "kora-tenant-held", `{"spec":{"ingress":[{}],"egress":[{}]}}`
	policy := named(&networkingv1.NetworkPolicy{}, at, "kora-default-deny")
	module := named(&corev1.ConfigMap{}, at, "kora-opa")
	foreign := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Namespace: at, Name: "open", Finalizers: []string{"example.com/held"},
		Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}}, Spec: networkingv1.NetworkPolicySpec{Egress: []networkingv1.NetworkPolicyEgressRule{{}}}}
	for _, o := range []client.Object{policy, module} {
		patch(t, w, o, `{"metadata":{"finalizers":["example.com/held"]}}`)
		if err := w.Admin.Delete(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = w.Admin.Patch(context.Background(), o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
		})
	}
	patch(t, w, policy, open)
	patch(t, w, module, `{"data":{"tenant.rego":"package evil"}}`)
	turn(t, w, "held")
	operatortest.Eventually(t, func() error {
		now := get(t, w, &networkingv1.NetworkPolicy{}, at, "kora-default-deny")
		if rego := get(t, w, &corev1.ConfigMap{}, at, "kora-opa").Data["tenant.rego"]; now.DeletionTimestamp == nil || len(now.Spec.Egress)+len(now.Spec.Ingress) > 0 || rego == "package evil" {
			return fmt.Errorf("it stands: %+v %s", now.Spec, rego)
		}
		return nil
	})
	if err := w.Admin.Create(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = w.Admin.Patch(context.Background(), foreign, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
	})
	turn(t, w, "held")
	says(t, w, "held", v1alpha1.ConditionPolicyReady, "True", v1alpha1.ReasonSucceeded, "is open by open")
	patch(t, w, module, `{"data":{"tenant.rego":"package evil"},"immutable":true}`)
	turn(t, w, "held")
	replaced(t, w, "held", module)
	for _, o := range []client.Object{
		named(&corev1.ConfigMap{}, at, "kora-tenant-ca"), named(&corev1.Secret{}, at, "kora-tenant-ca"), named(&corev1.Secret{}, at, "kora-egress-ca")} {
		patch(t, w, o, `{"data":{"ca.crt":"eA==","tls.crt":"eA=="},"immutable":true,"metadata":{"finalizers":["example.com/held"]}}`)
		turn(t, w, "held")
		replaced(t, w, "held", o)
	}
	says(t, w, "held", v1alpha1.ConditionCAReady, "True", v1alpha1.ReasonSucceeded)
	says(t, w, "held", v1alpha1.ConditionPolicyReady, "True", v1alpha1.ReasonSucceeded)
}

// replaced waits until another object has taken the place of one, which nobody holds, and
// an event tells whose finalizers were taken off.
func replaced(t *testing.T, w *operatortest.World, tenant string, was client.Object) {
	t.Helper()
	now := was.DeepCopyObject().(client.Object)
	operatortest.Eventually(t, func() error {
		if err := w.Admin.Get(t.Context(), client.ObjectKeyFromObject(was), now); err != nil {
			return err
		}
		if now.GetUID() == was.GetUID() || len(now.GetFinalizers()) > 0 {
			return fmt.Errorf("%T %s of %s stands, held by %q", was, was.GetName(), tenant, now.GetFinalizers())
		}
		list := &eventsv1.EventList{}
		if err := w.Admin.List(t.Context(), list, client.InNamespace(was.GetNamespace())); err != nil {
			return err
		}
		for _, e := range list.Items {
			if e.Regarding.UID == was.GetUID() && e.Action == "Replace" && strings.Contains(e.Note, "example.com/held") {
				return nil
			}
		}
		return fmt.Errorf("%T %s: nobody is told", was, was.GetName())
	})
}
