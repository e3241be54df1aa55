package tenants_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// rowIs tells whether the inventory has the object in this state, for this reason.
func rowIs(o *v1alpha1.KoraTenant, kind, name string, state v1alpha1.InventoryState, reason string) error {
	for _, item := range o.Status.Inventory {
		if item.Kind != kind || item.Name != name {
			continue
		}
		if item.State != state || reason != "" && !strings.HasPrefix(item.Reason, reason+": ") || reason == "" && item.Reason != "" {
			return fmt.Errorf("the row is %+v, and not %s for %q", item, state, reason)
		}
		return nil
	}
	return fmt.Errorf("no row %s %s in %+v", kind, name, o.Status.Inventory)
}

// R50: each kind of row, broken: while it cannot be put right its row and its part
// say why, by a reason of the list, every other row stays Ready, and nothing else
// stops; when it can, it is put right and the row is Ready again.
func TestEachRowSaysWhatIsWrong(t *testing.T) {
	w := world(t)
	tenant(t, w, "rows", nil)
	ready(t, w, "rows")
	const home = "kora-tenant-rows"
	operator, err := client.New(w.Access(), client.Options{Scheme: w.Admin.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	label := `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"privileged"}}}`
	for _, c := range []struct {
		name, group, resource string
		object                client.Object
		change                string // empty: it is deleted
		part                  string
		right                 func(client.Object) bool
	}{
		{"a namespace's label is changed", "", "namespaces", named(&corev1.Namespace{}, "", home), label, v1alpha1.ConditionNamespaceReady,
			func(o client.Object) bool { return o.GetLabels()["pod-security.kubernetes.io/enforce"] == "restricted" }},
		{"a NetworkPolicy is deleted", "networking.k8s.io", "networkpolicies", named(&networkingv1.NetworkPolicy{}, home, "kora-default-deny"), "", v1alpha1.ConditionPolicyReady,
			func(o client.Object) bool { return len(o.(*networkingv1.NetworkPolicy).Spec.PolicyTypes) == 2 }},
		{"a RoleBinding is changed", "rbac.authorization.k8s.io", "rolebindings", named(&rbacv1.RoleBinding{}, home, "kora-agents-tenant"),
			`{"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"eve"}]}`, v1alpha1.ConditionNamespaceReady,
			func(o client.Object) bool { return o.(*rbacv1.RoleBinding).Subjects[0].Name == "kora-agents" }},
		{"a ServiceAccount gets a token", "", "serviceaccounts", named(&corev1.ServiceAccount{}, home, "default"), `{"automountServiceAccountToken":true}`, v1alpha1.ConditionNamespaceReady,
			func(o client.Object) bool { return !*o.(*corev1.ServiceAccount).AutomountServiceAccountToken }},
		{"the OPA ConfigMap is edited", "", "configmaps", named(&corev1.ConfigMap{}, home, "kora-opa"), `{"data":{"tenant.rego":"package kora"}}`, v1alpha1.ConditionPolicyReady,
			func(o client.Object) bool { return len(o.(*corev1.ConfigMap).Data["tenant.rego"]) > 50 }},
		{"the published certificates are edited", "", "configmaps", named(&corev1.ConfigMap{}, home, v1alpha1.TenantCA), `{"data":{"ca.crt":"none"}}`, v1alpha1.ConditionCAReady,
			func(o client.Object) bool { return strings.Contains(o.(*corev1.ConfigMap).Data["ca.crt"], "BEGIN") }},
		{"the authority's Secret is deleted", "", "secrets", named(&corev1.Secret{}, home, v1alpha1.TenantCA), "", v1alpha1.ConditionCAReady,
			func(o client.Object) bool { _, err := authority.Parse(o.(*corev1.Secret).Data); return err == nil }},
		{"the gateway's Secret is deleted", "", "secrets", named(&corev1.Secret{}, home, v1alpha1.EgressCA), "", v1alpha1.ConditionCAReady,
			func(o client.Object) bool {
				_, err := authority.ParseDeputy(o.(*corev1.Secret).Data)
				return err == nil
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind := strings.TrimPrefix(fmt.Sprintf("%T", c.object)[strings.LastIndex(fmt.Sprintf("%T", c.object), "."):], ".")
			thaw := w.Freeze(t, home, c.group, c.resource)
			defer thaw()
			probe := func() error {
				o := c.object.DeepCopyObject().(client.Object)
				return operator.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"annotations":{"a":"b"}}}`)), client.DryRunAll)
			}
			if kind == "Secret" { // which the operator updates, and never patches
				probe = func() error {
					return operator.Create(t.Context(), named(&corev1.Secret{}, home, "probe"), client.DryRunAll)
				}
			}
			operatortest.Refuses(t, true, probe)
			if c.change == "" {
				err = w.Admin.Delete(t.Context(), c.object.DeepCopyObject().(client.Object))
			} else {
				err = w.Admin.Patch(t.Context(), c.object.DeepCopyObject().(client.Object), merge(c.change))
			}
			if err != nil {
				t.Fatal(err)
			}
			turn(t, w, "rows")
			got := says(t, w, "rows", c.part, "False", v1alpha1.ReasonFailed, operatortest.Frozen)
			row(t, got, kind, c.object.GetName(), v1alpha1.InventoryFailed, v1alpha1.ReasonFailed)
			for _, item := range got.Status.Inventory {
				if item.State != v1alpha1.InventoryReady && !(item.Kind == kind && item.Name == c.object.GetName()) && c.resource != "secrets" && c.resource != "namespaces" {
					t.Errorf("another row: %+v", item)
				}
			}
			thaw()
			operatortest.Refuses(t, false, probe)
			turn(t, w, "rows")
			got = ready(t, w, "rows")
			row(t, got, kind, c.object.GetName(), v1alpha1.InventoryReady, "")
			if o := get(t, w, c.object.DeepCopyObject().(client.Object), c.object.GetNamespace(), c.object.GetName()); !c.right(o) {
				t.Errorf("it is not put right: %v", o)
			}
		})
	}
}

// R21, R50: a pull Secret that is not there, and one that is no pull Secret, are rows
// that say so, and are right when the Secret comes.
func TestARowOfAPullSecret(t *testing.T) {
	w := world(t)
	tenant(t, w, "pulls", func(o *v1alpha1.KoraTenant) { o.Spec.ImagePullSecrets = []v1alpha1.LocalReference{{Name: "late"}} })
	got := says(t, w, "pulls", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonReferenceNotFound, "there is no Secret late")
	row(t, got, "Secret", "late", v1alpha1.InventoryFailed, v1alpha1.ReasonReferenceNotFound)
	odd := named(&corev1.Secret{Data: map[string][]byte{"a": []byte("b")}}, operatortest.System, "late")
	if err := w.Admin.Create(t.Context(), odd); err != nil {
		t.Fatal(err)
	}
	turn(t, w, "pulls")
	got = says(t, w, "pulls", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonInvalid, `is of the type "Opaque"`)
	row(t, got, "Secret", "late", v1alpha1.InventoryFailed, v1alpha1.ReasonInvalid)
	if err := w.Admin.Delete(t.Context(), odd); err != nil {
		t.Fatal(err)
	}
	pullSecret(t, w, "late", "one")
	turn(t, w, "pulls")
	row(t, ready(t, w, "pulls"), "Secret", "late", v1alpha1.InventoryReady, "")
	copied(t, w, "kora-tenant-pulls", "late", "one")

	if err := w.Admin.Delete(t.Context(), named(&corev1.Secret{}, "kora-tenant-pulls", "late")); err != nil { // the copy
		t.Fatal(err)
	}
	turn(t, w, "pulls")
	copied(t, w, "kora-tenant-pulls", "late", "one")
}
