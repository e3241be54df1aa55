package injection

import (
	"encoding/json"
	"net/http"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// patch is the answer that changes a pod. Both sides are written from the same
// type, so that a field which this version does not know is not taken away.
func patch(before, after *corev1.Pod) admission.Response {
	a, err := json.Marshal(changing(before))
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	b, err := json.Marshal(changing(after))
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return admission.PatchResponseFromRaw(a, b)
}

// changing is the part of a pod that the injector writes in. Whoever compares two
// pods writes the whole path of each value: managed fields may be of any depth, and
// below names of any length, so that they are left out on both sides.
func changing(pod *corev1.Pod) *corev1.Pod {
	part := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: pod.Annotations}, Spec: pod.Spec}
	part.Spec.Volumes = slices.Clone(pod.Spec.Volumes)
	for n := range part.Spec.Volumes {
		v := &part.Spec.Volumes[n]
		if v.Ephemeral == nil || v.Ephemeral.VolumeClaimTemplate == nil {
			continue
		}
		template := *v.Ephemeral.VolumeClaimTemplate
		template.ManagedFields = nil
		v.Ephemeral = &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &template}
	}
	return part
}
