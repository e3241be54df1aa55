package agents

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// claimType is the claim's, alone and as the StatefulSet's template.
func claimType() metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}
}

// workspaceClaim is the claim of the first replica (R7): as patches left it when
// the settings hold that, else built from their fields. Either way its identity
// and labels are kora's. It carries the component label because the StatefulSet
// controller puts the selector's labels on each claim that it makes.
func workspaceClaim(s Settings) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{Spec: claimSpec(s.Workspace)}
	if s.Workspace.Claim != nil {
		claim = s.Workspace.Claim.DeepCopy()
	}
	claim.TypeMeta = claimType()
	claim.Name, claim.Namespace = ClaimName(s.Slug), s.Namespace
	claim.Labels = over(claim.Labels, sessionManagerLabels(s))
	return claim
}

func claimSpec(w Workspace) corev1.PersistentVolumeClaimSpec {
	return corev1.PersistentVolumeClaimSpec{
		AccessModes:      append([]corev1.PersistentVolumeAccessMode(nil), w.AccessModes...),
		StorageClassName: copied(w.StorageClassName),
		Resources: corev1.VolumeResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceStorage: w.Size.DeepCopy()},
		},
	}
}

// claimTemplate is what the StatefulSet makes each replica's claim from: the
// claim's labels, annotations and spec, under the template's name (R7).
func claimTemplate(claim *corev1.PersistentVolumeClaim) corev1.PersistentVolumeClaim {
	claim = claim.DeepCopy()
	return corev1.PersistentVolumeClaim{
		TypeMeta: claimType(),
		ObjectMeta: metav1.ObjectMeta{
			Name:        WorkspaceVolume,
			Labels:      claim.Labels,
			Annotations: claim.Annotations,
		},
		Spec: claim.Spec,
	}
}

// copied returns a pointer to its own copy of what p points to.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return ptr(*p)
}
