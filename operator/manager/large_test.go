package manager

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fat is what somebody makes of an object's metadata who wants it to be large.
func fat() metav1.ObjectMeta {
	o := metav1.ObjectMeta{Namespace: "kora-tenant-a", Name: "n", UID: "1", ResourceVersion: "7",
		Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora", v1alpha1.LabelTenant: "a"}, Annotations: map[string]string{}}
	for n := range 4000 {
		key := fmt.Sprint("a", n)
		o.Labels[key], o.Labels[v1alpha1.Group+"/"+key], o.Annotations[key] = key, key, strings.Repeat("x", 50)
		o.Finalizers = append(o.Finalizers, "example.com/"+key)
		o.OwnerReferences = append(o.OwnerReferences, metav1.OwnerReference{Kind: "ConfigMap", Name: key})
	}
	return o
}

// R50: of an object that is larger than any of the operator's the cache holds what says
// which it is and that it is not as it should be, whatever made it large.
func TestLargeObjectsAreHeldSmall(t *testing.T) {
	policy := &networkingv1.NetworkPolicy{ObjectMeta: fat()}
	long := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Name: "n", UID: "1", ResourceVersion: "7", Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}}}
	for range 2000 {
		long.Spec.Egress = append(long.Spec.Egress, networkingv1.NetworkPolicyEgressRule{To: []networkingv1.NetworkPolicyPeer{{IPBlock: &networkingv1.IPBlock{CIDR: "203.0.113.0/24", Except: []string{"203.0.113.7/32"}}}}})
	}
	role := &rbacv1.Role{ObjectMeta: fat(), Rules: []rbacv1.PolicyRule{{Verbs: []string{"get"}}}}
	binding := &rbacv1.RoleBinding{ObjectMeta: fat(), RoleRef: rbacv1.RoleRef{Name: "r"}, Subjects: []rbacv1.Subject{{Name: "s"}}}
	set := &appsv1.DaemonSet{ObjectMeta: fat()}
	set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "c"}}
	for _, o := range []client.Object{policy, long, role, binding, set} {
		out, err := small(o)
		is := out.(client.Object)
		if err != nil || out.(interface{ Size() int }).Size() > 8<<10 {
			t.Errorf("%T: %d bytes, %v", o, out.(interface{ Size() int }).Size(), err)
		}
		if is.GetName() != "n" || is.GetUID() != "1" || is.GetResourceVersion() != "7" || is.GetLabels()[v1alpha1.LabelManagedBy] != v1alpha1.Operator {
			t.Errorf("%T is not to be known again: %+v", o, is)
		}
	}
	if len(policy.Spec.Egress)+len(long.Spec.Egress)+len(role.Rules)+len(binding.Subjects)+len(set.Spec.Template.Spec.Containers) > 0 || binding.RoleRef.Name != "r" {
		t.Error("what is in them is held")
	}
	if len(policy.Finalizers) == 0 || policy.Labels[v1alpha1.LabelPartOf] != "kora" {
		t.Errorf("that something holds it, or what it is of, is lost: %v", policy.Labels)
	}
}

// R50: what the operator makes itself is held as it is.
func TestOwnObjectsAreHeldWhole(t *testing.T) {
	o := &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Name: "n", Annotations: map[string]string{"a": "b"}, Finalizers: []string{"example.com/held"}},
		Spec: networkingv1.NetworkPolicySpec{Egress: []networkingv1.NetworkPolicyEgressRule{{}}}}
	want := o.DeepCopy()
	if out, err := small(o); err != nil || !equality.Semantic.DeepEqual(out, want) {
		t.Errorf("%+v, %v", out, err)
	}
}

// R54: of a StatefulSet its agent and its age are held, and nothing that grows.
func TestAgentsAreHeldByTheirNames(t *testing.T) {
	set := &appsv1.StatefulSet{ObjectMeta: fat()}
	set.CreationTimestamp = metav1.Now()
	set.Labels["runkora.io/agent-slug"], set.Labels["runkora.io/agent-type"] = "coder", "type-7"
	set.Spec.Template.Annotations = map[string]string{"a": strings.Repeat("x", 1<<18)}
	want := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "kora-tenant-a", Name: "n", UID: "1", ResourceVersion: "7", CreationTimestamp: set.CreationTimestamp,
		Labels: map[string]string{"runkora.io/agent-slug": "coder", "runkora.io/agent-type": "type-7"}}}
	if out, err := whose(set); err != nil || !equality.Semantic.DeepEqual(out, want) {
		t.Errorf("%+v, %v", out, err)
	}
}
