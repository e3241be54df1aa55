package admit

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/fields"
)

// Annotations that the API server reads, and the keys of older ones that it still
// refuses where they are wrong.
const (
	alphaTolerations = "scheduler.alpha.kubernetes.io/tolerations"
	topologyHints    = corev1.DeprecatedAnnotationTopologyAwareHints
	topologyMode     = corev1.AnnotationTopologyMode
)

func (c *checker) podAnnotations(at fields.Path, all map[string]string) {
	if v, set := all[corev1.PodDeletionCost]; set {
		if n, err := strconv.ParseInt(v, 10, 32); err != nil || strconv.FormatInt(n, 10) != v {
			c.add(at.Child(corev1.PodDeletionCost), "the cost of deleting a pod is a number", v, "a whole number, such as 100")
		}
	}
	for key, why := range map[string]string{corev1.MirrorPodAnnotationKey: "the kubelet's alone", alphaTolerations: "read no longer: a pod has spec.tolerations"} {
		if v, set := all[key]; set {
			c.add(at.Child(key), "this annotation is "+why, v, "(none)")
		}
	}
}

func (c *checker) serviceAnnotations(all map[string]string, balanced bool) {
	const at = fields.Path("metadata.annotations")
	if ranges, set := all[corev1.AnnotationLoadBalancerSourceRangesKey]; set && strings.TrimSpace(ranges) != "" {
		if !balanced {
			c.add(at.Child(corev1.AnnotationLoadBalancerSourceRangesKey), "this is for a Service of type LoadBalancer", ranges, "(none)")
		}
		for cidr := range strings.SplitSeq(ranges, ",") {
			c.cidr(at.Child(corev1.AnnotationLoadBalancerSourceRangesKey), strings.TrimSpace(cidr))
		}
	}
	if hints, set := all[topologyHints]; set && all[topologyMode] != "" && hints != all[topologyMode] {
		c.add(at.Child(topologyHints), "it contradicts "+topologyMode, hints, all[topologyMode])
	}
}
