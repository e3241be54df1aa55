package agents

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// autoscaler owns the replicas; that is why the StatefulSet states none.
func autoscaler(s Settings) *autoscalingv2.HorizontalPodAutoscaler {
	return &autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
		ObjectMeta: meta(s, baseLabels(s, nameAgent)),
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{
				APIVersion: "apps/v1", Kind: "StatefulSet", Name: ObjectName(s.Slug),
			},
			MinReplicas: ptr(int32(1)),
			MaxReplicas: 3,
			Metrics:     []autoscalingv2.MetricSpec{cpuMetric()},
			Behavior:    slowScaleDown(),
		},
	}
}

// cpuMetric looks at the session-manager container alone: the injected sidecars'
// idle requests would hide a busy session-manager in the pod's mean.
func cpuMetric() autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{
		Type: autoscalingv2.ContainerResourceMetricSourceType,
		ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
			Name:      corev1.ResourceCPU,
			Container: SessionManagerContainer,
			Target: autoscalingv2.MetricTarget{
				Type:               autoscalingv2.UtilizationMetricType,
				AverageUtilization: ptr(int32(70)),
			},
		},
	}
}

// slowScaleDown ends at most one replica in ten minutes, and only after ten quiet
// ones: ending a replica ends the live sessions that it multiplexes.
func slowScaleDown() *autoscalingv2.HorizontalPodAutoscalerBehavior {
	return &autoscalingv2.HorizontalPodAutoscalerBehavior{
		ScaleDown: &autoscalingv2.HPAScalingRules{
			StabilizationWindowSeconds: ptr(int32(600)),
			SelectPolicy:               ptr(autoscalingv2.MinChangePolicySelect),
			Policies: []autoscalingv2.HPAScalingPolicy{
				{Type: autoscalingv2.PodsScalingPolicy, Value: 1, PeriodSeconds: 600},
			},
		},
	}
}

// disruptionBudget lets one replica go at a time. A minAvailable would block the
// drain of a node for ever where there is only one replica; so would a broken
// pod, if it were not always evictable.
func disruptionBudget(s Settings) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{
		TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
		ObjectMeta: meta(s, baseLabels(s, nameAgent)),
		Spec: policyv1.PodDisruptionBudgetSpec{
			MaxUnavailable:             ptr(intstr.FromInt32(1)),
			Selector:                   labelSelector(s, ComponentSessionManager),
			UnhealthyPodEvictionPolicy: ptr(policyv1.AlwaysAllow),
		},
	}
}
