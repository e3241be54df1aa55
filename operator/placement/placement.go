// Package placement reads where a pod may run as the scheduler does: node selector and
// required affinity, taints, and what a RuntimeClass adds to them (R10, R55).
package placement

import (
	"maps"
	"slices"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	scheduling "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// Admits reports whether the node selector and the required affinity of a pod admit a
// node, by the node's name and labels. Taints are not looked at.
func Admits(pod *corev1.PodSpec, node *corev1.Node) bool {
	ok, err := nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: *pod}).Match(node)
	return err == nil && ok
}

// Untolerated is the first taint that keeps a pod with these tolerations away, if one does.
func Untolerated(taints []corev1.Taint, by []corev1.Toleration) (corev1.Taint, bool) {
	keeps := func(t *corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule }
	return scheduling.FindMatchingUntoleratedTaint(logr.Discard(), taints, by, keeps, true)
}

// Against are the labels of which a pod and its RuntimeClass, nil for none, select nodes of
// different values, sorted: the API server refuses such a pod.
func Against(pod *corev1.PodSpec, class *nodev1.Scheduling) []string {
	if class == nil {
		return nil
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(class.NodeSelector)) {
		if own, both := pod.NodeSelector[key]; both && own != class.NodeSelector[key] {
			out = append(out, key)
		}
	}
	return out
}

// WithClass is a pod's placement with what its RuntimeClass says of it, nil for nothing,
// as the API server merges them where they do not contradict. The pod given stays as it is.
func WithClass(pod *corev1.PodSpec, class *nodev1.Scheduling) *corev1.PodSpec {
	out := pod.DeepCopy()
	if class == nil {
		return out
	}
	if out.NodeSelector == nil && len(class.NodeSelector) > 0 {
		out.NodeSelector = map[string]string{}
	}
	for key, value := range class.NodeSelector {
		if _, own := out.NodeSelector[key]; !own {
			out.NodeSelector[key] = value
		}
	}
	out.Tolerations = append(out.Tolerations, class.Tolerations...)
	return out
}
