package agents

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Folders of the scratch volume. Each is mounted by its subPath, because the
// kubelet then makes it, writable for the pod's group: on an empty volume a
// TMPDIR would not exist until somebody made it.
const (
	homeFolder = "home"
	tempFolder = "tmp"
	workFolder = "work"

	homePath = "/scratch/" + homeFolder
	tempPath = "/scratch/" + tempFolder
	tmpPath  = "/tmp"
)

// emptyDir is a volume on the node's disk that ends with the pod. Past its limit
// the kubelet evicts the pod and not its neighbours.
func emptyDir(name string, limit resource.Quantity) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
		EmptyDir: &corev1.EmptyDirVolumeSource{SizeLimit: &limit},
	}}
}

// claimVolume mounts the workspace claim of the first replica.
func claimVolume(s Settings) corev1.Volume {
	return corev1.Volume{Name: WorkspaceVolume, VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: ClaimName(s.Slug)},
	}}
}

// localMounts are the writable folders of both pods' containers besides the workspace.
func localMounts() []corev1.VolumeMount {
	return []corev1.VolumeMount{
		{Name: ScratchVolume, MountPath: homePath, SubPath: homeFolder},
		{Name: ScratchVolume, MountPath: tempPath, SubPath: tempFolder},
		{Name: tmpVolume, MountPath: tmpPath},
	}
}

// quantity parses a constant.
func quantity(text string) resource.Quantity { return resource.MustParse(text) }
