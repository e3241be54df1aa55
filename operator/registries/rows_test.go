package registries_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// row waits until the tenant's inventory has the object once, in this state and, where
// that is not Ready, for a reason that begins so; and the tenant is not held up by it.
func row(t *testing.T, p *place, tenant, object string, state v1alpha1.InventoryState, reason string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		o := &v1alpha1.KoraTenant{}
		if err := p.Admin.Get(t.Context(), client.ObjectKey{Name: tenant}, o); err != nil {
			return err
		}
		var found []v1alpha1.InventoryItem
		for _, item := range o.Status.Inventory {
			if item.Kind+" "+item.Name == object {
				found = append(found, item)
			}
		}
		if len(found) != 1 || found[0].State != state || !strings.HasPrefix(found[0].Reason, reason) || (reason == "") != (found[0].Reason == "") {
			return fmt.Errorf("%s is %+v, and not %s for %q", object, found, state, reason)
		}
		if !meta.IsStatusConditionTrue(o.Status.Conditions, v1alpha1.ConditionReady) {
			return fmt.Errorf("it holds up the tenant: %+v", o.Status.Conditions)
		}
		return nil
	})
}

// R50, R51: what the registries keep in a tenant's namespace and cannot put right, or
// may not, is a row of the tenant that says why, and the provider's own status says
// the same; every other row stays, and it is Ready again when it can be.
func TestRowsOfWhatTheRegistriesKeep(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}}, "rows")
	const home = "kora-tenant-rows"
	foreign := serviceEntry("rows", "kora-model-taken")
	foreign.Object["spec"] = map[string]any{"hosts": []any{"mine.example.com"}, "resolution": "DNS", "ports": []any{map[string]any{"name": "tls", "number": int64(443), "protocol": "TLS"}}}
	api, one, taken := connection("rows", "api", "api"), modelProvider("rows", "one", "https://models.example.com", "models"), modelProvider("rows", "taken", "https://models.example.com", "models")
	p.create(t, foreign, secret("rows", "models", "key"), secret("rows", "api", "token"), api, one, taken)
	says(t, p, taken, v1alpha1.ReasonConflict, "kora-model-taken")
	row(t, p, "rows", "ServiceEntry kora-model-taken", v1alpha1.InventoryConflict, "Conflict: status.serviceEntry: ")
	row(t, p, "rows", "ServiceEntry kora-model-one", v1alpha1.InventoryReady, "")
	row(t, p, "rows", "Role kora-inference-secrets", v1alpha1.InventoryReady, "")
	row(t, p, "rows", "RoleBinding kora-egress-secrets", v1alpha1.InventoryReady, "")

	operator, err := client.New(p.Access(), client.Options{Scheme: p.Admin.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	grant := &rbacv1.Role{}
	grant.Namespace, grant.Name = home, "kora-egress-secrets"
	for _, c := range []struct {
		group, resource string
		object          client.Object // that is deleted, and cannot be made again
		of              v1alpha1.Object
		rows            []string
		reason          string
	}{
		{"networking.istio.io", "serviceentries", serviceEntry("rows", "kora-model-one"), one, []string{"ServiceEntry kora-model-one"}, "Failed: status.serviceEntry: the ServiceEntry kora-model-one"},
		{"rbac.authorization.k8s.io", "roles", grant, api, []string{"Role kora-egress-secrets", "RoleBinding kora-egress-secrets"}, "Failed: the right of kora-egress"},
	} {
		thaw := p.Freeze(t, home, c.group, c.resource)
		defer thaw()
		write := func() error {
			o := c.object.DeepCopyObject().(client.Object)
			return operator.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"annotations":{"a":"b"}}}`)), client.DryRunAll)
		}
		operatortest.Refuses(t, true, write)
		if err := p.Admin.Delete(t.Context(), c.object.DeepCopyObject().(client.Object)); err != nil {
			t.Fatal(err)
		}
		says(t, p, c.of, v1alpha1.ReasonFailed, "tries again by itself")
		for _, object := range c.rows {
			row(t, p, "rows", object, v1alpha1.InventoryFailed, c.reason)
		}
		row(t, p, "rows", "RoleBinding kora-agents-tenant", v1alpha1.InventoryReady, "")
		row(t, p, "rows", "ServiceEntry kora-model-taken", v1alpha1.InventoryConflict, "Conflict: status.serviceEntry: ")
		thaw()
		operatortest.Refuses(t, false, func() error { return client.IgnoreNotFound(write()) })
		for _, object := range c.rows {
			row(t, p, "rows", object, v1alpha1.InventoryReady, "")
		}
		says(t, p, c.of, v1alpha1.ReasonSucceeded)
	}
}
