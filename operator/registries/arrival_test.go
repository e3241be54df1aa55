package registries_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R26, R51: where Istio comes after the operator has started, model providers that
// waited for it are ready without a restart and long before the sync period, and
// what somebody does to their ServiceEntries is undone at once.
func TestIstioMayComeLater(t *testing.T) {
	p := &place{World: operatortest.New(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}, "operator": map[string]any{"syncPeriod": "1h"}})}
	definition := serviceEntries(t)
	if err := p.Admin.Delete(t.Context(), definition.DeepCopy()); client.IgnoreNotFound(err) != nil { // of another test
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		list := &unstructured.UnstructuredList{}
		list.SetAPIVersion("networking.istio.io/v1")
		list.SetKind("ServiceEntryList")
		if err := p.Admin.List(t.Context(), list); !meta.IsNoMatchError(err) && !apierrors.IsNotFound(err) {
			return fmt.Errorf("the cluster has ServiceEntries: %v", err)
		}
		return nil
	})
	p.start(t)
	p.tenant(t, "later")
	p.create(t, secret("later", "s", "key"))
	o := modelProvider("later", "one", "https://models.example.com", "s")
	p.create(t, o)
	says(t, p, o, v1alpha1.ReasonFailed, "install Istio")
	row(t, p, "later", "ServiceEntry kora-model-one", v1alpha1.InventoryFailed, "Failed: status.serviceEntry: ")
	p.holds(t, "modelprovider")

	p.Define(t, definition)
	says(t, p, o, v1alpha1.ReasonSucceeded)
	row(t, p, "later", "ServiceEntry kora-model-one", v1alpha1.InventoryReady, "")
	p.holds(t, "modelprovider", "later/one")
	p.Quiet(t)
	is := serviceEntry("later", "kora-model-one")
	was := is.DeepCopy()
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(was), was); err != nil {
		t.Fatal(err)
	}
	if err := p.Admin.Delete(t.Context(), is); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		is := serviceEntry("later", "kora-model-one")
		if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(is), is); err != nil {
			return err
		}
		if is.GetUID() == was.GetUID() {
			return fmt.Errorf("it is the one of before")
		}
		return nil
	})
	p.Quiet(t)
}
