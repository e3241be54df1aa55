package tenants_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
