package tenants_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R25, R26, R28, R50: an operator with other settings makes of the same tenant
// what these say, and takes away what they no longer do.
func TestOtherSettingsAreFollowed(t *testing.T) {
	open := operatortest.New(t, map[string]any{
		"istio":  map[string]any{"revision": "stable"},
		"global": map[string]any{"observability": map[string]any{"otlpEndpoint": "http://collector:4317", "collectorNamespace": "telemetry"}},
	})
	run := open.Start(t, tenants.New(open.Settings, clock.RealClock{}))
	tenant(t, open, "settled", nil)
	ready(t, open, "settled")
	home := get(t, open, &corev1.Namespace{}, "", "kora-tenant-settled")
	if _, other := home.Labels["istio-injection"]; other || home.Labels["istio.io/rev"] != "stable" {
		t.Errorf("the mesh's labels: %v", home.Labels)
	}
	get(t, open, &networkingv1.NetworkPolicy{}, home.Name, "kora-collector")
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}

	none := operatortest.New(t, map[string]any{"networkPolicy": map[string]any{"enabled": false}})
	none.Start(t, tenants.New(none.Settings, clock.RealClock{}))
	operatortest.Eventually(t, func() error {
		all := &networkingv1.NetworkPolicyList{}
		if err := none.Admin.List(t.Context(), all, client.InNamespace(home.Name)); err != nil || len(all.Items) > 0 {
			return fmt.Errorf("%d policies are left, %v", len(all.Items), err)
		}
		return nil
	})
	says(t, none, "settled", v1alpha1.ConditionPolicyReady, "True", v1alpha1.ReasonSucceeded, "networkPolicy.enabled is false")
	if home := get(t, none, &corev1.Namespace{}, "", home.Name); home.Labels["istio-injection"] != "enabled" {
		t.Errorf("the mesh's labels: %v", home.Labels)
	}
}

// kept is a part of tenants that somebody else keeps.
type kept struct{ good atomic.Bool }

func (k *kept) Condition() string      { return v1alpha1.ConditionImagesReady }
func (k *kept) Watch(*builder.Builder) {}

func (k *kept) Judge(context.Context, *v1alpha1.KoraTenant) (status.Verdict, []v1alpha1.InventoryItem, error) {
	if k.good.Load() {
		return status.Good("there"), nil, nil
	}
	bad := status.Bad(v1alpha1.ReasonFailed, "no registry")
	return bad, []v1alpha1.InventoryItem{status.Item("SandboxImage", "kora-base", bad)}, nil
}

// R50: a tenant is ready when all who keep a part of it say so.
func TestPartsOfOthersCount(t *testing.T) {
	w := operatortest.New(t, nil)
	part := &kept{}
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}, part))
	o := tenant(t, w, "imaged", nil)
	got := says(t, w, "imaged", v1alpha1.ConditionReady, "False", v1alpha1.ReasonPartNotReady, "ImagesReady: no registry")
	found := false
	for _, item := range got.Status.Inventory {
		found = found || item.Kind == "SandboxImage" && item.State == v1alpha1.InventoryFailed
	}
	if !found {
		t.Errorf("the inventory lacks it: %v", got.Status.Inventory)
	}
	part.good.Store(true)
	patch(t, w, o, `{"metadata":{"annotations":{"example.com/turn":"1"}}}`)
	ready(t, w, "imaged")
}
