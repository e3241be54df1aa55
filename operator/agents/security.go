package agents

import corev1 "k8s.io/api/core/v1"

// koraID is the user and group of every agent and sandbox image (R6, R52).
const koraID = 100

// MeshID is the user and group of the mesh's proxy. What runs as it is not
// redirected through the proxy, and so past every policy.
const MeshID = 1337

// ForbiddenGroup says what a group is that neither an agent's pod nor a container
// of it is in (R6, R14, R54), by whichever field; empty of every other one. The
// guard of patches and the operator's webhook both go by it.
func ForbiddenGroup(id int64) string {
	switch id {
	case 0:
		return "is root's group, which may write what root left open to it"
	case MeshID:
		return "is the mesh's proxy, whose traffic no policy sees"
	}
	return ""
}

// podSecurity is what Pod Security level restricted asks of a pod (R6). fsGroup
// makes the workspace writable; OnRootMismatch spares a large workspace the walk
// over every file at each start.
func podSecurity() *corev1.PodSecurityContext {
	return &corev1.PodSecurityContext{
		RunAsUser:           ptr(int64(koraID)),
		RunAsGroup:          ptr(int64(koraID)),
		RunAsNonRoot:        ptr(true),
		FSGroup:             ptr(int64(koraID)),
		FSGroupChangePolicy: ptr(corev1.FSGroupChangeOnRootMismatch),
		SeccompProfile:      runtimeDefault(),
	}
}

// containerSecurity repeats per container what the pod already says, so that no
// container depends on it (R6). What must be written goes to volumes.
func containerSecurity() *corev1.SecurityContext {
	return &corev1.SecurityContext{
		AllowPrivilegeEscalation: ptr(false),
		Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		ReadOnlyRootFilesystem:   ptr(true),
		RunAsNonRoot:             ptr(true),
		SeccompProfile:           runtimeDefault(),
	}
}

func runtimeDefault() *corev1.SeccompProfile {
	return &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
}
