package agents

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sandboxPod executes one run of the agent's code, once (R1). It runs under the
// namespace's default ServiceAccount: the code is the agent's, so it never gets
// a cloud identity (R5). On a workspace that is not ReadWriteMany it is pinned to
// the replica whose workspace it mounts (R8), going by the claim as patched.
func sandboxPod(s Settings, claim *corev1.PersistentVolumeClaim) *corev1.Pod {
	spec := podSpec(s, s.Sandbox, ComponentSandbox)
	if !Shared(claim.Spec.AccessModes) {
		spec.Affinity = pinned(spec.Affinity, s.Slug)
	}
	spec.RestartPolicy = corev1.RestartPolicyNever
	spec.ServiceAccountName = "default"
	spec.Containers = []corev1.Container{sandboxContainer(s)}
	spec.Volumes = []corev1.Volume{
		claimVolume(s), emptyDir(ScratchVolume, s.SandboxSize.Disk.DeepCopy()), emptyDir(tmpVolume, extraDisk()),
	}
	metadata := podMetadata(s.Sandbox, sandboxLabels(s))
	metadata.Name, metadata.Namespace = SandboxName(s.Slug, SampleRun), s.Namespace
	return &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metadata,
		Spec:       spec,
	}
}

// sandboxContainer gets exactly the environment's size, as request and limit: a
// run neither starves its neighbours nor depends on what they leave (R10).
func sandboxContainer(s Settings) corev1.Container {
	mounts, folder := workingFolder(s)
	return corev1.Container{
		Name:            SandboxContainer,
		Image:           s.Images.Sandbox,
		WorkingDir:      folder,
		Env:             sandboxEnv(s),
		Resources:       corev1.ResourceRequirements{Requests: s.SandboxSize.list(), Limits: s.SandboxSize.list()},
		SecurityContext: containerSecurity(),
		VolumeMounts:    slices.Concat(mounts, localMounts()),
	}
}

// workingFolder is the run's folder in the workspace, which the session-manager
// makes before the run; with sandboxMount it is a folder of the node's disk, laid
// into the run's folder (R10, "Scale-out sandboxes").
func workingFolder(s Settings) (mounts []corev1.VolumeMount, folder string) {
	mounts = []corev1.VolumeMount{{Name: WorkspaceVolume, MountPath: WorkspacePath}}
	folder = WorkspacePath + "/" + SampleRun
	if !s.SandboxMount {
		return mounts, folder
	}
	folder += "/sandbox"
	local := corev1.VolumeMount{Name: ScratchVolume, MountPath: folder, SubPath: workFolder}
	return append(mounts, local), folder
}

func sandboxEnv(s Settings) []corev1.EnvVar {
	run := []corev1.EnvVar{{Name: "KORA_RUN_ID", Value: SampleRun}}
	return slices.Concat(run, commonEnv(s), toolEnv(), telemetryEnv(s.Telemetry))
}
