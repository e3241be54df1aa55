package registries_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/operatortest"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	allSecrets = `{"rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":["get","list","watch"]}]}`
	alsoMCP    = `{"subjects":[{"kind":"ServiceAccount","name":"kora-egress","namespace":"kora-system"},{"kind":"ServiceAccount","name":"kora-mcp","namespace":"kora-system"}]}`
)

// R50, R51: a Role or RoleBinding that is being deleted, and that somebody's finalizer
// holds, is in force: it is put right as any other, and one that nothing needs is
// emptied, until it goes.
func TestGrantsHeldInDeletionArePutRight(t *testing.T) {
	p := begin(t, nil, "gripped")
	p.create(t, secret("gripped", "api", "token"))
	api := connection("gripped", "api", "api")
	p.create(t, api)
	readable(t, p, "kora-egress", "gripped", "api")
	role, binding := grantRole("gripped", "kora-egress"), &rbacv1.RoleBinding{ObjectMeta: grantRole("gripped", "kora-egress").ObjectMeta}
	for _, o := range []client.Object{role, binding} {
		p.patch(t, o, `{"metadata":{"finalizers":["example.com/held"]}}`)
		t.Cleanup(func() {
			_ = p.Admin.Patch(context.Background(), o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
		})
		if err := p.Admin.Delete(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	forge := func() {
		p.patch(t, role, allSecrets)
		p.patch(t, binding, alsoMCP)
	}
	forge()
	readable(t, p, "kora-egress", "gripped", "api")
	readable(t, p, "kora-mcp", "gripped")
	p.Quiet(t)

	if err := p.Admin.Delete(t.Context(), api); err != nil {
		t.Fatal(err)
	}
	for range 2 { // when nothing needs it any more, and when somebody fills it again
		operatortest.Eventually(t, func() error {
			for _, o := range []client.Object{role, binding} {
				if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
					return err
				}
			}
			if role.DeletionTimestamp == nil || len(role.Rules)+len(binding.Subjects) > 0 {
				return fmt.Errorf("in force: %v for %v", role.Rules, binding.Subjects)
			}
			return nil
		})
		readable(t, p, "kora-egress", "gripped")
		readable(t, p, "kora-mcp", "gripped")
		p.Quiet(t)
		forge()
	}
	readable(t, p, "kora-mcp", "gripped")
	for _, o := range []client.Object{role, binding} {
		p.patch(t, o, `{"metadata":{"finalizers":null}}`)
		operatortest.Eventually(t, func() error { return absent(t.Context(), p, o) })
	}
	p.failedNone(t)
}
