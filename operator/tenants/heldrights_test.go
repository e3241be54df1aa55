package tenants_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/operatortest"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: a RoleBinding of a tenant's that is being deleted, and that somebody's finalizer
// holds, is put right: no other gets rights by it, and the operator keeps its own. When
// the finalizer goes, it is made anew.
func TestRightsHeldInDeletionArePutRight(t *testing.T) {
	w := world(t)
	tenant(t, w, "gripped", nil)
	ready(t, w, "gripped")
	settle(t, w)
	const at = "kora-tenant-gripped"
	for _, name := range []string{"kora-operator-tenant", "kora-agents-tenant", "kora-egress-tenant"} {
		was := get(t, w, &rbacv1.RoleBinding{}, at, name)
		held := was.DeepCopy()
		patch(t, w, held, `{"metadata":{"finalizers":["example.com/held"]}}`)
		t.Cleanup(func() {
			_ = w.Admin.Patch(context.Background(), held, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
		})
		if err := w.Admin.Delete(t.Context(), held); err != nil {
			t.Fatal(err)
		}
		for _, forged := range []string{`null`, `[]`, `[{"kind":"ServiceAccount","name":"default","namespace":"` + at + `"}]`} {
			patch(t, w, held, `{"subjects":`+forged+`}`)
			operatortest.Eventually(t, func() error {
				now := get(t, w, &rbacv1.RoleBinding{}, at, name)
				if now.DeletionTimestamp == nil || now.UID != was.UID {
					t.Fatalf("%s is not held: the test shows nothing", name)
				}
				if !equality.Semantic.DeepEqual(now.Subjects, was.Subjects) {
					return fmt.Errorf("%s is of %v", name, now.Subjects)
				}
				return nil
			})
		}
		ready(t, w, "gripped")
		patch(t, w, held, `{"metadata":{"finalizers":null}}`)
		operatortest.Eventually(t, func() error {
			now := &rbacv1.RoleBinding{}
			if err := w.Admin.Get(t.Context(), client.ObjectKey{Namespace: at, Name: name}, now); err != nil {
				return err
			}
			if now.UID == was.UID || !equality.Semantic.DeepEqual(now.Subjects, was.Subjects) {
				return fmt.Errorf("%s was not made anew: %v", name, now.Subjects)
			}
			return nil
		})
	}
	ready(t, w, "gripped")
}

// R50: with a tenant that leaves its namespace go the rights of kora's services, those
// too that somebody's finalizer holds there.
func TestRightsHeldInDeletionGoWithTheTenant(t *testing.T) {
	w := world(t)
	o := tenant(t, w, "let-go", nil)
	ready(t, w, "let-go")
	settle(t, w)
	var all []*rbacv1.RoleBinding
	for _, name := range []string{"kora-operator-tenant", "kora-agents-tenant", "kora-egress-tenant"} {
		held := named(&rbacv1.RoleBinding{}, "kora-tenant-let-go", name)
		patch(t, w, held, `{"metadata":{"finalizers":["example.com/held"]}}`)
		t.Cleanup(func() {
			_ = w.Admin.Patch(context.Background(), held, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
		})
		all = append(all, held)
	}
	if err := w.Admin.Delete(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	missing(t, w, o)
	for _, held := range all {
		if now := get(t, w, &rbacv1.RoleBinding{}, held.Namespace, held.Name); len(now.Subjects) > 0 || now.DeletionTimestamp == nil {
			t.Errorf("%s is in force for %v", held.Name, now.Subjects)
		}
	}
}
