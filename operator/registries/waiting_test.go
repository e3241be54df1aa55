package registries_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50, R51: a tenant whose deletion waits to be confirmed goes on as before: what it
// has stays in the registries with its ServiceEntries and rights, and what is new
// enters. Whichever way the deletion then takes, all of it leaves.
func TestATenantWhoseDeletionWaitsStays(t *testing.T) {
	for name, way := range map[string]func(*testing.T, *place, *v1alpha1.KoraTenant){
		"confirmed": func(t *testing.T, p *place, o *v1alpha1.KoraTenant) { p.Confirm(t, o.Name) },
		"kept": func(t *testing.T, p *place, o *v1alpha1.KoraTenant) {
			p.patch(t, o, `{"spec":{"deletionPolicy":"Retain"}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}, "operator": map[string]any{"syncPeriod": "1h"}}, name)
			tenant := &v1alpha1.KoraTenant{}
			tenant.Name = name
			p.patch(t, tenant, `{"spec":{"deletionPolicy":"Delete"}}`)
			p.create(t, secret(name, "api", "token"), secret(name, "models", "key"), secret(name, "more", "token"), connection(name, "one", "api"),
				modelProvider(name, "models", "https://models.example.com", "models"))
			p.holds(t, "connection", name+"/one")
			p.holds(t, "modelprovider", name+"/models")
			if err := p.Admin.Delete(t.Context(), tenant); err != nil {
				t.Fatal(err)
			}
			operatortest.Eventually(t, func() error { return deleting(t, p, name) })

			two := connection(name, "two", "more")
			p.create(t, two) // so a pass comes after the deletion
			says(t, p, two, v1alpha1.ReasonSucceeded)
			p.holds(t, "connection", name+"/one", name+"/two")
			p.holds(t, "modelprovider", name+"/models")
			readable(t, p, "kora-egress", name, "api", "more")
			readable(t, p, "kora-inference", name, "models")
			says(t, p, connection(name, "one", ""), v1alpha1.ReasonSucceeded)
			entry := serviceEntry(name, "kora-model-models")
			if err := p.Admin.Delete(t.Context(), entry); err != nil {
				t.Fatal(err)
			}
			operatortest.Eventually(t, func() error { return p.Admin.Get(t.Context(), client.ObjectKeyFromObject(entry), entry) })
			p.Quiet(t)

			way(t, p, tenant)
			p.holds(t, "connection")
			p.holds(t, "modelprovider")
			readable(t, p, "kora-egress", name)
			readable(t, p, "kora-inference", name)
			operatortest.Eventually(t, func() error { return absent(t.Context(), p, entry) })
			if name == "kept" { // whoever looks at them is told so
				says(t, p, two, v1alpha1.ReasonInvalid, "left behind by the KoraTenant kept")
			}
			p.Quiet(t) // nor is anything tried in vain: a right that lacks fails the test
		})
	}
}

// R50, R51: where somebody took the operator's rights from a tenant's namespace before
// the tenant was deleted, it goes all the same, and leaves no ServiceEntry.
func TestATenantGoesThoughTheRightsAreTaken(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}}, "taken")
	p.create(t, secret("taken", "s", "key"), modelProvider("taken", "one", "https://models.example.com", "s"))
	p.holds(t, "modelprovider", "taken/one")
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	rights := &rbacv1.RoleBinding{ObjectMeta: in("taken", "kora-operator-tenant")}
	tenant := &v1alpha1.KoraTenant{}
	tenant.Name = "taken"
	for _, o := range []client.Object{rights, tenant} {
		if err := p.Admin.Delete(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	p.start(t)
	for _, o := range []client.Object{tenant, serviceEntry("taken", "kora-model-one"), rights} {
		operatortest.Eventually(t, func() error { return absent(t.Context(), p, o) })
	}
}

// deleting gives nil when the tenant's status asks whether its deletion is meant.
func deleting(t *testing.T, p *place, name string) error {
	t.Helper()
	o := &v1alpha1.KoraTenant{}
	if err := p.Admin.Get(t.Context(), client.ObjectKey{Name: name}, o); err != nil {
		return err
	}
	if c := meta.FindStatusCondition(o.Status.Conditions, v1alpha1.ConditionReady); c == nil || c.Reason != v1alpha1.ReasonDeleting {
		return fmt.Errorf("Ready is %+v", c)
	}
	return nil
}
