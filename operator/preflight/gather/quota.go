package gather

import (
	"context"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	helper "k8s.io/component-helpers/resource"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight/facts"
)

// demand is what objects and their pods ask of a quota in all, by the quota's names.
type demand struct{ of corev1.ResourceList }

var one = *resource.NewQuantity(1, resource.DecimalSI)

func (d *demand) plus(name corev1.ResourceName, q resource.Quantity) {
	if d.of == nil {
		d.of = corev1.ResourceList{}
	}
	sum := d.of[name]
	sum.Add(q)
	d.of[name] = sum
}

// add counts a pod as often as there will be one.
func (d *demand) add(pod *corev1.Pod, times int64) {
	plus := func(name corev1.ResourceName, q resource.Quantity) {
		for range min(times, mostReplicas) {
			d.plus(name, q)
		}
	}
	for _, name := range []corev1.ResourceName{corev1.ResourcePods, "count/pods"} {
		plus(name, one)
	}
	for name, q := range helper.PodRequests(pod, helper.PodResourcesOptions{}) {
		plus(name, q)
		plus("requests."+name, q)
	}
	for name, q := range helper.PodLimits(pod, helper.PodResourcesOptions{}) {
		plus("limits."+name, q)
	}
}

// mostReplicas bounds the counting; no quota of a namespace has room for more.
const mostReplicas = 10_000

// rooms compares what is asked for with the quotas of each namespace: the server
// tries one object after the other, and keeps none.
func (t *trial) rooms(ctx context.Context, asked map[string]*demand) []facts.Answer {
	var out []facts.Answer
	for _, namespace := range slices.Sorted(maps.Keys(asked)) {
		list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return t.typed.CoreV1().ResourceQuotas(namespace).List(ctx, o)
		}
		err := t.each(ctx, metav1.ListOptions{}, list, func(o runtime.Object) error {
			q := o.(*corev1.ResourceQuota)
			if short := asked[namespace].beyond(q); short != "" {
				out = append(out, facts.Answer{Object: "ResourceQuota " + namespace + "/" + q.Name, Short: short})
			}
			return nil
		})
		if err != nil {
			out = append(out, facts.Answer{Object: "ResourceQuota " + namespace + "/*", Untried: kube.Words(kube.Answered(err))})
		}
	}
	return out
}

// beyond says what a quota has no room for, empty: it has. One of some pods alone,
// by a scope, is left to the dry run of each pod.
func (d *demand) beyond(q *corev1.ResourceQuota) string {
	if len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil {
		return ""
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(q.Spec.Hard)) {
		need, counted := d.of[name]
		left := q.Spec.Hard[name].DeepCopy()
		left.Sub(q.Status.Used[name])
		if counted && need.Cmp(left) > 0 {
			out = append(out, string(name)+": "+need.String()+" are asked for, and "+left.String()+" are left")
		}
	}
	return strings.Join(out, "; ")
}
