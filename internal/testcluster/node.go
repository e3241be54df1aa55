package testcluster

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Node is one that kwok plays. Every node has 32 CPUs, 128 GiB and 110 pods.
type Node struct {
	Name   string
	Labels map[string]string
	Taints []corev1.Taint
}

// TierLabel is the label and the taint's key of the node pools in kora's
// documents ("Sandbox node pools").
const TierLabel = "workload-tier"

// Pools are the nodes of a cluster that asks for none in particular: two for
// everything, two for session-managers and two for sandboxes, the latter four
// labelled and tainted by [TierLabel], each pair in two zones.
func Pools() []Node {
	var nodes []Node
	for _, tier := range []string{"", "kora", "kora-sandbox"} {
		for _, zone := range []string{"a", "b"} {
			nodes = append(nodes, poolNode(tier, zone))
		}
	}
	return nodes
}

func poolNode(tier, zone string) Node {
	node := Node{Name: "general-" + zone, Labels: map[string]string{corev1.LabelTopologyZone: "zone-" + zone}}
	if tier != "" {
		node.Name = tier + "-" + zone
		node.Labels[TierLabel] = tier
		node.Taints = []corev1.Taint{{Key: TierLabel, Value: tier, Effect: corev1.TaintEffectNoSchedule}}
	}
	return node
}

// object is the node as a kubelet registers it. A kubelet of the server's own
// version is never refused for its age.
func (n Node) object(version string) *corev1.Node {
	labels := map[string]string{corev1.LabelHostname: n.Name, corev1.LabelOSStable: "linux",
		corev1.LabelArchStable: "amd64", corev1.LabelTopologyRegion: "here"}
	maps.Copy(labels, n.Labels)
	size := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("32"), corev1.ResourceMemory: resource.MustParse("128Gi"),
		corev1.ResourceEphemeralStorage: resource.MustParse("1Ti"), corev1.ResourcePods: resource.MustParse("110"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: labels},
		Spec:       corev1.NodeSpec{Taints: n.Taints},
		Status: corev1.NodeStatus{Capacity: size, Allocatable: size, NodeInfo: corev1.NodeSystemInfo{
			KubeletVersion: version, OperatingSystem: "linux", Architecture: "amd64",
			OSImage: "none: no container runs here", ContainerRuntimeVersion: "kwok://0",
		}},
	}
}
