package tenants_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: a wrong status that somebody else wrote stands no longer than the cache
// takes to show it, also when a pass in between saw the one before.
func TestAForeignStatusIsPutRight(t *testing.T) {
	w := operatortest.New(t, nil)
	lag := operatortest.NewLag(v1alpha1.KoraTenants)
	w.StartWith(t, manager.Options{Access: lag.Wrap(w.Access()), Parts: []manager.Part{tenants.New(w.Settings, clock.RealClock{})}})
	tenant(t, w, "meddled", nil)
	right := ready(t, w, "meddled")
	settle(t, w)
	lag.Hold()
	wrong := right.DeepCopy()
	meta.SetStatusCondition(&wrong.Status.Conditions, metav1.Condition{Type: v1alpha1.ConditionReady, Status: "False", Reason: "Failed", Message: "no", ObservedGeneration: wrong.Generation})
	wrong.Status.Inventory, wrong.Status.Namespace, wrong.Status.CANotAfter = nil, "kube-system", nil
	if err := w.Admin.Status().Patch(t.Context(), wrong, client.MergeFrom(right)); err != nil {
		t.Fatal(err)
	}
	policy := named(&networkingv1.NetworkPolicy{}, "kora-tenant-meddled", "kora-dns")
	if err := w.Admin.Delete(t.Context(), policy.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error { return w.Admin.Get(t.Context(), client.ObjectKeyFromObject(policy), policy) })
	if now := get(t, w, &v1alpha1.KoraTenant{}, "", "meddled"); now.ResourceVersion != wrong.ResourceVersion {
		t.Fatal("the cache does not lag: the test shows nothing")
	}
	lag.Release()
	operatortest.Eventually(t, func() error {
		now := get(t, w, &v1alpha1.KoraTenant{}, "", "meddled")
		if !meta.IsStatusConditionTrue(now.Status.Conditions, v1alpha1.ConditionReady) || len(now.Status.Inventory) != len(right.Status.Inventory) ||
			now.Status.Namespace != right.Status.Namespace || !now.Status.CANotAfter.Equal(right.Status.CANotAfter) {
			return fmt.Errorf("it stands: %+v", now.Status)
		}
		return nil
	})
	steady(t, w, func() {})
}
