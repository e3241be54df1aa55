package sizing

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/placement"
)

// Coming is a DaemonSet of the values that some node does not run yet.
type Coming struct {
	Name     string `json:"name"` // namespace/name
	Requests Amount `json:"requests"`
	Nodes    int    `json:"nodes"` // that will run it, of those that admit a sandbox
}

// place is where a pod of a DaemonSet runs.
type place struct{ node, namespace, set string }

// coming adds to what is taken on each node, and to how many pods are there, what the
// DaemonSets of the values will: one that runs there already counts by the larger of
// what it requests and what it will.
func (r Request) coming(taken map[string]Amount, many map[string]int64) []Coming {
	var out []Coming
	there := running(r.Pods)
	for i := range r.DaemonSets {
		set := &r.DaemonSets[i]
		pod := daemonPod(set)
		one := Coming{Name: set.Namespace + "/" + set.Name, Requests: requested(pod)}
		for j := range r.Nodes {
			n := &r.Nodes[j]
			if !placement.Admits(&r.Wanted.Spec, n) || !runsOn(&pod.Spec, n) {
				continue
			}
			has, runs := there[place{n.Name, set.Namespace, set.Name}]
			if taken[n.Name] = plus(taken[n.Name], less(one.Requests, has)); !runs {
				many[n.Name]++
				one.Nodes++
			}
		}
		if one.Nodes > 0 {
			out = append(out, one)
		}
	}
	return out
}

// running adds up what each DaemonSet's pods request on each node.
func running(pods []corev1.Pod) map[place]Amount {
	out := map[place]Amount{}
	for i := range pods {
		p := &pods[i]
		owner := metav1.GetControllerOf(p)
		if owner == nil || owner.Kind != "DaemonSet" || ended(p) {
			continue
		}
		at := place{nodeOf(p), p.Namespace, owner.Name}
		out[at] = plus(out[at], requested(p))
	}
	return out
}

// daemonPod is a DaemonSet's pod as its controller makes it and the API server lets it
// in: it stays on a node in trouble.
func daemonPod(set *appsv1.DaemonSet) *corev1.Pod {
	pod := &corev1.Pod{Spec: *set.Spec.Template.Spec.DeepCopy()}
	requestLimits(&pod.Spec)
	stays := map[corev1.TaintEffect][]string{
		corev1.TaintEffectNoExecute:  {corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable},
		corev1.TaintEffectNoSchedule: {corev1.TaintNodeDiskPressure, corev1.TaintNodeMemoryPressure, corev1.TaintNodePIDPressure, corev1.TaintNodeUnschedulable},
	}
	if pod.Spec.HostNetwork {
		stays[corev1.TaintEffectNoSchedule] = append(stays[corev1.TaintEffectNoSchedule], corev1.TaintNodeNetworkUnavailable)
	}
	for effect, keys := range stays {
		for _, key := range keys {
			pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: effect})
		}
	}
	return pod
}

// runsOn reports whether a DaemonSet's pod is made for a node.
func runsOn(spec *corev1.PodSpec, n *corev1.Node) bool {
	_, kept := placement.Untolerated(n.Spec.Taints, spec.Tolerations)
	return !kept && placement.Admits(spec, n)
}

// ended is a pod that takes no room any more.
func ended(p *corev1.Pod) bool {
	return slices.Contains([]corev1.PodPhase{corev1.PodSucceeded, corev1.PodFailed}, p.Status.Phase)
}
