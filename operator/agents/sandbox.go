package agents

import corev1 "k8s.io/api/core/v1"

func sandboxPod(s Settings, claim *corev1.PersistentVolumeClaim) *corev1.Pod { return nil }

// SandboxTotal is what one sandbox pod requests in all (R10).
func SandboxTotal(s Settings) corev1.ResourceList { return nil }
