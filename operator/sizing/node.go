package sizing

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/placement"
)

// Node is what one node has for sandboxes.
type Node struct {
	Name        string `json:"name"`
	Pool        string `json:"pool"`
	Allocatable Amount `json:"allocatable"`
	DaemonSets  Amount `json:"daemonSets"`
	Largest     Amount `json:"largest"`
	// Closed says why no sandbox starts there now, empty when one does.
	Closed string `json:"closed,omitempty"`
}

// pools are the labels by which clouds and provisioners name a node's pool; the
// first that a node carries names it.
var pools = [...]string{
	"karpenter.sh/nodepool", "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup",
	"kubernetes.azure.com/agentpool", "agentpool", "node.kubernetes.io/instance-type",
}

func poolOf(labels map[string]string) string {
	for _, key := range pools {
		if v := labels[key]; v != "" {
			return v
		}
	}
	return ""
}

// ofNode reports whether a pod stays with its node, whatever else runs there: one of a
// DaemonSet, or one that the kubelet has from a file and shows as a mirror.
func ofNode(p *corev1.Pod) bool {
	owner := metav1.GetControllerOf(p)
	return p.Annotations[corev1.MirrorPodAnnotationKey] != "" || owner != nil && (owner.Kind == "DaemonSet" || owner.Kind == "Node")
}

// daemons adds up what the pods that stay with their nodes request, by node, and counts
// them. A pod that still waits counts for the node it is meant for.
func daemons(pods []corev1.Pod) (map[string]Amount, map[string]int64) {
	out, many := map[string]Amount{}, map[string]int64{}
	for i := range pods {
		p := &pods[i]
		if !ofNode(p) || ended(p) {
			continue
		}
		if name := nodeOf(p); name != "" {
			out[name] = plus(out[name], requested(p))
			many[name]++
		}
	}
	return out, many
}

// nodeOf is where a DaemonSet's pod runs or, before the scheduler bound it,
// where its required affinity sends it.
func nodeOf(p *corev1.Pod) string {
	if p.Spec.NodeName != "" || p.Spec.Affinity == nil || p.Spec.Affinity.NodeAffinity == nil {
		return p.Spec.NodeName
	}
	required := p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		return ""
	}
	for _, term := range required.NodeSelectorTerms {
		for _, field := range term.MatchFields {
			if field.Key == metav1.ObjectNameField && len(field.Values) == 1 {
				return field.Values[0]
			}
		}
	}
	return ""
}

// closed says why no new sandbox starts on a node that its placement admits.
func closed(sandbox *corev1.PodSpec, node *corev1.Node, stay int64) string {
	if node.Spec.Unschedulable {
		return "cordoned"
	}
	if taint, there := placement.Untolerated(node.Spec.Taints, sandbox.Tolerations); there {
		return "taint " + taint.ToString() + " is not tolerated"
	}
	if most, told := node.Status.Allocatable[corev1.ResourcePods]; told && most.Sign() <= 0 {
		return "it takes no pods"
	} else if told && most.CmpInt64(stay) <= 0 {
		return "it takes " + most.String() + " pods, and DaemonSets and static pods are as many"
	}
	ready := func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	}
	if !slices.ContainsFunc(node.Status.Conditions, ready) {
		return "not ready"
	}
	return ""
}
