package agents

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
)

// MergeWorkload lays a workload's own block over agents.workloads.common (R4).
// Maps merge key by key and own wins; every other field is own's when set, else
// common's. Empty is not set: a chart's `tolerations: []` or `affinity: {}` is a
// default that nobody wrote. The result shares no memory with either.
func MergeWorkload(common, own Workload) Workload {
	common, own = common.clone(), own.clone()
	merged := Workload{
		NodeSelector:              over(common.NodeSelector, own.NodeSelector),
		Tolerations:               own.Tolerations,
		Affinity:                  own.Affinity,
		TopologySpreadConstraints: own.TopologySpreadConstraints,
		PriorityClassName:         own.PriorityClassName,
		PodLabels:                 over(common.PodLabels, own.PodLabels),
		PodAnnotations:            over(common.PodAnnotations, own.PodAnnotations),
	}
	merged.inherit(common)
	return merged
}

// inherit fills what is not set from common.
func (w *Workload) inherit(common Workload) {
	if len(w.Tolerations) == 0 {
		w.Tolerations = common.Tolerations
	}
	if w.Affinity == nil {
		w.Affinity = common.Affinity
	}
	if len(w.TopologySpreadConstraints) == 0 {
		w.TopologySpreadConstraints = common.TopologySpreadConstraints
	}
	if w.PriorityClassName == "" {
		w.PriorityClassName = common.PriorityClassName
	}
}

// clone copies a workload with everything it points to; what is empty becomes nil.
func (w Workload) clone() Workload {
	w.NodeSelector = over(w.NodeSelector, nil)
	w.Tolerations = deepCopies[corev1.Toleration](w.Tolerations)
	w.Affinity = cloneAffinity(w.Affinity)
	w.TopologySpreadConstraints = deepCopies[corev1.TopologySpreadConstraint](w.TopologySpreadConstraints)
	w.PodLabels = over(w.PodLabels, nil)
	w.PodAnnotations = over(w.PodAnnotations, nil)
	return w
}

func cloneAffinity(a *corev1.Affinity) *corev1.Affinity {
	if a == nil || *a == (corev1.Affinity{}) {
		return nil
	}
	return a.DeepCopy()
}

// over returns a new map of base with top's entries over it, nil when both are empty.
func over(base, top map[string]string) map[string]string {
	if len(base)+len(top) == 0 {
		return nil
	}
	merged := make(map[string]string, len(base)+len(top))
	maps.Copy(merged, base)
	maps.Copy(merged, top)
	return merged
}

// deepCopies copies a list of API values, nil when it is empty.
func deepCopies[T any, P interface {
	*T
	DeepCopyInto(*T)
}](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	copies := make([]T, len(list))
	for i := range list {
		P(&list[i]).DeepCopyInto(&copies[i])
	}
	return copies
}
