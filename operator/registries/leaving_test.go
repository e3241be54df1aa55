package registries_test

import (
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R51: what is deleted leaves its registry at once, with its ServiceEntry, and what needs it
// with it. Where somebody's finalizer holds it in its deletion, its status says so, and that
// it is not in the registry any more.
func TestWhatIsHeldInItsDeletionSaysThatItHasLeft(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}}, "leaving")
	p.create(t, secret("leaving", "s", "key"))
	c, m := connection("leaving", "c", ""), modelProvider("leaving", "m", "https://models.example.com", "s")
	p.create(t, c, m)
	says(t, p, c, v1alpha1.ReasonSucceeded)
	says(t, p, m, v1alpha1.ReasonSucceeded)
	p.holds(t, "connection", "leaving/c")
	for _, o := range []client.Object{c, m} {
		p.patch(t, o, `{"metadata":{"finalizers":["example.com/held"]}}`)
		if err := p.Admin.Delete(t.Context(), o.DeepCopyObject().(client.Object)); err != nil {
			t.Fatal(err)
		}
	}
	says(t, p, c, v1alpha1.ReasonDeleting, "has left the registry", "metadata.finalizers")
	if now := says(t, p, m, v1alpha1.ReasonDeleting, "has left the registry"); now.Status.ServiceEntry != "" {
		t.Errorf("it has %q", now.Status.ServiceEntry)
	}
	p.holds(t, "connection")
	p.holds(t, "modelprovider")
	operatortest.Eventually(t, func() error { return absent(t.Context(), p, serviceEntry("leaving", "kora-model-m")) })
	p.Quiet(t)
	for _, o := range []client.Object{c, m} {
		p.patch(t, o, `{"metadata":{"finalizers":null}}`)
		operatortest.Eventually(t, func() error { return absent(t.Context(), p, o) })
	}
}
