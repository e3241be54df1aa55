package argocd

import (
	_ "embed"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HealthKey is the setting that gives Applications a health check (R41).
const HealthKey = "resource.customizations.health.argoproj.io_Application"

//go:embed health.lua
var healthCheck string

// settings is a patch of Argo CD's own ConfigMap, not the whole of it.
func (b builder) settings() *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{
			Name: "argocd-cm", Namespace: b.env.ArgoCD.Namespace,
			Labels: map[string]string{"app.kubernetes.io/name": "argocd-cm", "app.kubernetes.io/part-of": "argocd"},
		},
		Data: map[string]string{HealthKey: healthCheck},
	}
}
