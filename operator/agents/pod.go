package agents

import (
	corev1 "k8s.io/api/core/v1"
)

// podSpec is what both pods have in common: their placement (R4), security (R6)
// and pull secrets (R21). Neither gets an API token, nor the environment
// variables of every Service in the namespace.
func podSpec(s Settings, w Workload, component string) corev1.PodSpec {
	w = w.clone()
	return corev1.PodSpec{
		NodeSelector:                 w.NodeSelector,
		Tolerations:                  w.Tolerations,
		Affinity:                     w.Affinity,
		TopologySpreadConstraints:    spreads(s, w, component),
		PriorityClassName:            w.PriorityClassName,
		SecurityContext:              podSecurity(),
		AutomountServiceAccountToken: ptr(false),
		EnableServiceLinks:           ptr(false),
		ImagePullSecrets:             pullSecrets(s),
	}
}

// spreads gives a constraint without a selector the pod's own: without any it
// would count no pod and do nothing, silently.
func spreads(s Settings, w Workload, component string) []corev1.TopologySpreadConstraint {
	for i := range w.TopologySpreadConstraints {
		if w.TopologySpreadConstraints[i].LabelSelector == nil {
			w.TopologySpreadConstraints[i].LabelSelector = labelSelector(s, component)
		}
	}
	return w.TopologySpreadConstraints
}

// spreadOverNodes keeps one node's loss from ending every replica, where there
// are nodes to choose from.
func spreadOverNodes(s Settings) corev1.TopologySpreadConstraint {
	return corev1.TopologySpreadConstraint{
		MaxSkew:           1,
		TopologyKey:       corev1.LabelHostname,
		WhenUnsatisfiable: corev1.ScheduleAnyway,
		LabelSelector:     labelSelector(s, ComponentSessionManager),
	}
}

func pullSecrets(s Settings) []corev1.LocalObjectReference {
	var references []corev1.LocalObjectReference
	for _, name := range s.PullSecrets {
		references = append(references, corev1.LocalObjectReference{Name: name})
	}
	return references
}
