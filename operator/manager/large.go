package manager

import (
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// most is how many bytes of an object the cache takes: several times what the largest
// that the operator makes has.
const most = 64 << 10

// small keeps of an object with the operator's label that is larger than any it makes
// only what says which one it is. The label is anybody's to write who may write the kind
// in a namespace; and emptied it differs from what the operator wants, so that it is put
// right or taken away as any other (R50).
func small(in any) (any, error) {
	in, _ = withoutHistory(in)
	o, is := in.(client.Object)
	if sized, has := in.(interface{ Size() int }); !is || !has || sized.Size() <= most {
		return in, nil
	}
	switch o := o.(type) {
	case *networkingv1.NetworkPolicy:
		o.Spec = networkingv1.NetworkPolicySpec{}
	case *rbacv1.Role:
		o.Rules = nil
	case *rbacv1.RoleBinding:
		o.Subjects = nil
	case *appsv1.DaemonSet:
		o.Spec, o.Status = appsv1.DaemonSetSpec{}, appsv1.DaemonSetStatus{}
	}
	o.SetAnnotations(nil)
	o.SetLabels(ours(o.GetLabels()))
	o.SetOwnerReferences(first(o.GetOwnerReferences()))
	o.SetFinalizers(first(o.GetFinalizers()))
	return o, nil
}

// few is how many labels, owners and finalizers of a large object are kept.
const few = 16

func first[T any](of []T) []T { return append([]T(nil), of[:min(few, len(of))]...) }

// ours are the labels that kora writes, and the first others of its prefix.
func ours(labels map[string]string) map[string]string {
	kept := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		common := key == v1alpha1.LabelManagedBy || key == v1alpha1.LabelPartOf
		if common || len(kept) < few && strings.HasPrefix(key, v1alpha1.Group+"/") {
			kept[key] = labels[key]
		}
	}
	return kept
}

// whose keeps of an agent's StatefulSet its type and its age: no more is asked of it,
// and whoever may write StatefulSets makes any number of any size.
func whose(in any) (any, error) {
	set, is := in.(*appsv1.StatefulSet)
	if !is {
		return in, nil
	}
	labels := map[string]string{}
	for _, key := range []string{agents.LabelAgentSlug, agents.LabelAgentType} {
		if value, has := set.Labels[key]; has {
			labels[key] = value
		}
	}
	return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: set.Name, Namespace: set.Namespace, UID: set.UID,
		ResourceVersion: set.ResourceVersion, CreationTimestamp: set.CreationTimestamp, Labels: labels}}, nil
}
