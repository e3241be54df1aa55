package agents

import corev1 "k8s.io/api/core/v1"

// koraID is the user and group of every agent and sandbox image (R6, R52).
const koraID = 100

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
