package sizing

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	core "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/runkora/kora/internal/kube"
)

// Read lists the nodes that a label selector takes, and the pods of DaemonSets.
// It asks page by page and keeps no other pod: a large cluster has very many.
func Read(ctx context.Context, from core.CoreV1Interface, selector string) ([]corev1.Node, []corev1.Pod, error) {
	kept := kube.Budget{Limit: keptLimit}
	var nodes []corev1.Node
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return from.Nodes().List(ctx, o)
	}
	err := kube.Each(ctx, metav1.ListOptions{LabelSelector: selector}, list, func(o runtime.Object) error {
		n := slim(o.(*corev1.Node))
		nodes = append(nodes, *n)
		return kept.Keep(n.Size())
	})
	if err != nil {
		return nil, nil, kube.Answered(err)
	}
	var pods []corev1.Pod
	list = func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return from.Pods(metav1.NamespaceAll).List(ctx, o)
	}
	err = kube.Each(ctx, metav1.ListOptions{}, list, func(o runtime.Object) error {
		if p := o.(*corev1.Pod); ofNode(p) {
			pods = append(pods, *slimPod(p))
			return kept.Keep(p.Size())
		}
		return nil
	})
	return nodes, pods, kube.Answered(err)
}

// keptLimit is the most that is kept of nodes and pods together, in bytes.
const keptLimit = 256 << 20

// slimPod keeps what a pod asks for and where it is.
func slimPod(p *corev1.Pod) *corev1.Pod {
	mirror := p.Annotations[corev1.MirrorPodAnnotationKey]
	p.ManagedFields, p.Annotations = nil, nil
	if mirror != "" {
		p.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: mirror}
	}
	p.Spec.Volumes = nil
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range list {
			list[i].Env, list[i].VolumeMounts, list[i].Command, list[i].Args = nil, nil, nil, nil
		}
	}
	return p
}

// slim drops what nobody here reads and a node has much of.
func slim(n *corev1.Node) *corev1.Node {
	n.ManagedFields, n.Annotations, n.Status.Images = nil, nil, nil
	return n
}
