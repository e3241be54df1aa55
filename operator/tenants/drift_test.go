package tenants_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func metaNamed(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

// R50: whoever writes into what the operator keeps, it is undone, at once where
// the kind is watched; and then nothing is written any more.
func TestConflictingWritersAreUndone(t *testing.T) {
	w := world(t)
	o := tenant(t, w, "drifted", nil)
	ready(t, w, "drifted")
	const home = "kora-tenant-drifted"
	for _, c := range []struct {
		name   string
		object client.Object
		change string
		undone func(client.Object) bool
	}{
		{"a closed policy is opened", named(&networkingv1.NetworkPolicy{}, home, "kora-default-deny"), `{"spec":{"ingress":[{}],"egress":[{}]}}`,
			func(o client.Object) bool {
				s := o.(*networkingv1.NetworkPolicy).Spec
				return len(s.Ingress)+len(s.Egress) == 0
			}},
		{"a policy is taken off pods", named(&networkingv1.NetworkPolicy{}, home, "kora-default-deny"), `{"spec":{"podSelector":{"matchLabels":{"a":"b"}}}}`,
			func(o client.Object) bool {
				return len(o.(*networkingv1.NetworkPolicy).Spec.PodSelector.MatchLabels) == 0
			}},
		{"somebody is bound", named(&rbacv1.RoleBinding{}, home, "kora-agents-tenant"), `{"subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"eve"}]}`,
			func(o client.Object) bool { return o.(*rbacv1.RoleBinding).Subjects[0].Name == "kora-agents" }},
		{"Pod Security is lowered", named(&corev1.Namespace{}, "", home), `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"privileged"}}}`,
			func(o client.Object) bool { return o.GetLabels()["pod-security.kubernetes.io/enforce"] == "restricted" }},
		{"the namespace loses its labels", named(&corev1.Namespace{}, "", home), `{"metadata":{"labels":{"runkora.io/tenant":null,"app.kubernetes.io/managed-by":null}}}`,
			func(o client.Object) bool { return o.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.Operator }},
		{"the mesh's other label", named(&corev1.Namespace{}, "", home), `{"metadata":{"labels":{"istio.io/rev":"old"}}}`,
			func(o client.Object) bool { _, there := o.GetLabels()["istio.io/rev"]; return !there }},
		{"a policy loses the operator's label", named(&networkingv1.NetworkPolicy{}, home, "kora-dns"), `{"metadata":{"labels":{"app.kubernetes.io/managed-by":"eve"}}}`,
			func(o client.Object) bool { return o.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.Operator }},
		{"a token is mounted", named(&corev1.ServiceAccount{}, home, "default"), `{"automountServiceAccountToken":true}`,
			func(o client.Object) bool { return !*o.(*corev1.ServiceAccount).AutomountServiceAccountToken }},
	} {
		t.Run(c.name, func(t *testing.T) {
			patch(t, w, c.object, c.change)
			operatortest.Eventually(t, func() error {
				if err := w.Admin.Get(t.Context(), client.ObjectKeyFromObject(c.object), c.object); err != nil {
					return err
				}
				if !c.undone(c.object) {
					return fmt.Errorf("not undone: %v", c.object)
				}
				return nil
			})
		})
	}
	ready(t, w, "drifted")
	steady(t, w, func() { patch(t, w, o, `{"metadata":{"annotations":{"example.com/touched":"yes"}}}`) })
}

// R50: a binding of another role cannot be changed, and is made anew; what is
// deleted comes back.
func TestWhatCannotBeChangedIsMadeAnew(t *testing.T) {
	w := world(t)
	tenant(t, w, "anew", nil)
	ready(t, w, "anew")
	binding := get(t, w, &rbacv1.RoleBinding{}, "kora-tenant-anew", "kora-egress-tenant")
	if err := w.Admin.Delete(t.Context(), binding); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		return w.Admin.Get(t.Context(), client.ObjectKeyFromObject(binding), &rbacv1.RoleBinding{})
	})
	if err := w.Admin.Delete(t.Context(), get(t, w, &rbacv1.RoleBinding{}, "kora-tenant-anew", "kora-egress-tenant")); err != nil {
		t.Fatal(err)
	}
	other := named(&rbacv1.RoleBinding{RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "view"}}, "kora-tenant-anew", "kora-egress-tenant")
	_ = w.Admin.Create(t.Context(), other) // or the operator was quicker
	patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metaNamed("anew")}, `{"metadata":{"annotations":{"example.com/touched":"yes"}}}`)
	operatortest.Eventually(t, func() error {
		if err := w.Admin.Get(t.Context(), client.ObjectKeyFromObject(binding), binding); err != nil {
			return err
		}
		if binding.RoleRef.Name != "kora-egress-tenant" {
			return fmt.Errorf("bound to %s", binding.RoleRef.Name)
		}
		return nil
	})
}

func named[T client.Object](o T, namespace, name string) T {
	o.SetNamespace(namespace)
	o.SetName(name)
	return o
}
