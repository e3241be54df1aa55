package admit

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/fields"
)

// Annotations that the API server reads. The guard of patches judges those of pods.
const (
	topologyHints = corev1.DeprecatedAnnotationTopologyAwareHints
	topologyMode  = corev1.AnnotationTopologyMode
)

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
