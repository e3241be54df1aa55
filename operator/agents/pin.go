package agents

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Shared reports whether a volume with these access modes can be mounted on
// several nodes at once for writing: only then may a sandbox run elsewhere than
// its session-manager (R8, R9).
func Shared(modes []corev1.PersistentVolumeAccessMode) bool {
	return slices.Contains(modes, corev1.ReadWriteMany)
}

// PinTerm is the pod affinity term that keeps a sandbox on the node of the
// session-manager replica whose workspace it mounts (R8). The scheduler lets the
// sandbox wait until that replica runs and its node has room.
func PinTerm(slug string) corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{
		LabelSelector: &metav1.LabelSelector{
			MatchLabels: map[string]string{"statefulset.kubernetes.io/pod-name": replicaName(slug)},
		},
		TopologyKey: corev1.LabelHostname,
	}
}

// Pinned reports whether a sandbox is pinned (R8): whether exactly [PinTerm] is
// among its required pod affinity terms, which are ANDed.
func Pinned(pod *corev1.Pod, slug string) bool {
	if pod == nil || pod.Spec.Affinity == nil || pod.Spec.Affinity.PodAffinity == nil {
		return false
	}
	pin := PinTerm(slug)
	return slices.ContainsFunc(pod.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution,
		func(term corev1.PodAffinityTerm) bool { return equality.Semantic.DeepEqual(term, pin) })
}

// pinned returns the affinity with the pin after any terms of the settings. It
// may write into its argument: callers hand over a copy.
func pinned(a *corev1.Affinity, slug string) *corev1.Affinity {
	if a == nil {
		a = &corev1.Affinity{}
	}
	if a.PodAffinity == nil {
		a.PodAffinity = &corev1.PodAffinity{}
	}
	terms := a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution = append(terms, PinTerm(slug))
	return a
}
