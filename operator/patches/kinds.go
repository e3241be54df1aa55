package patches

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/patches/kustomize"
)

// kind is one of the seven kinds that a patch may target (A: "What you can patch").
type kind struct {
	kustomize.Kind
	empty func() runtime.Object
}

// kinds returns them; a new table each time, since nothing here is global.
func kinds() []kind {
	return []kind{
		{of("apps", "v1", "StatefulSet", appsv1.StatefulSet{}), func() runtime.Object { return &appsv1.StatefulSet{} }},
		{of("", "v1", "PersistentVolumeClaim", corev1.PersistentVolumeClaim{}), func() runtime.Object { return &corev1.PersistentVolumeClaim{} }},
		{of("", "v1", "Service", corev1.Service{}), func() runtime.Object { return &corev1.Service{} }},
		{of("", "v1", "ServiceAccount", corev1.ServiceAccount{}), func() runtime.Object { return &corev1.ServiceAccount{} }},
		{of("autoscaling", "v2", "HorizontalPodAutoscaler", autoscalingv2.HorizontalPodAutoscaler{}), func() runtime.Object { return &autoscalingv2.HorizontalPodAutoscaler{} }},
		{of("policy", "v1", "PodDisruptionBudget", policyv1.PodDisruptionBudget{}), func() runtime.Object { return &policyv1.PodDisruptionBudget{} }},
		{of("", "v1", "Pod", corev1.Pod{}), func() runtime.Object { return &corev1.Pod{} }},
	}
}

func of(group, version, name string, v any) kustomize.Kind {
	return kustomize.Kind{Group: group, Version: version, Kind: name, Type: fields.Of(v)}
}

func kindNames(all []kind) []string {
	out := make([]string, len(all))
	for i, k := range all {
		out[i] = k.Kind.Kind
	}
	return out
}
