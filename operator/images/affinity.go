package images

import (
	"slices"
	"strings"

	"github.com/runkora/kora/operator/images/registry"
	corev1 "k8s.io/api/core/v1"
)

// onPlatforms narrows an affinity to nodes that may take an image of the platforms,
// "linux/amd64": on any other it would be pulled for nothing, and never start. The argument is
// left alone; without platforms it is what comes back.
func onPlatforms(where *corev1.Affinity, platforms []string) *corev1.Affinity {
	var archs []string
	for _, p := range platforms {
		for _, node := range registry.Nodes(p) {
			if _, arch, ok := strings.Cut(node, "/"); ok {
				archs = append(archs, arch)
			}
		}
	}
	if archs == nil {
		return where
	}
	slices.Sort(archs)
	runs := corev1.NodeSelectorRequirement{Key: corev1.LabelArchStable, Operator: corev1.NodeSelectorOpIn, Values: slices.Compact(archs)}
	out := &corev1.Affinity{}
	if where != nil {
		out = where.DeepCopy()
	}
	if out.NodeAffinity == nil {
		out.NodeAffinity = &corev1.NodeAffinity{}
	}
	required := out.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	if required == nil {
		required = &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{runs}}}}
		out.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution = required
		return out
	}
	for i := range required.NodeSelectorTerms { // any one of them is enough for a node
		term := &required.NodeSelectorTerms[i]
		if len(term.MatchExpressions)+len(term.MatchFields) > 0 { // an empty one takes no node, and is to go on so
			term.MatchExpressions = append(term.MatchExpressions, runs)
		}
	}
	return out
}
