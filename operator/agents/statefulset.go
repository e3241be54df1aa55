package agents

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// statefulSet runs the session-managers. It states no replicas: the autoscaler
// owns them, and a number here would undo its work at every apply.
//
// Parallel, because replicas know nothing of each other: each has its own
// workspace, and under OrderedReady one that cannot start would keep the others
// from being made, and its own repair from rolling out. Updates still go one by one.
func statefulSet(s Settings, claim *corev1.PersistentVolumeClaim) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: meta(s, sessionManagerLabels(s)),
		Spec: appsv1.StatefulSetSpec{
			ServiceName:          ObjectName(s.Slug),
			Selector:             labelSelector(s, ComponentSessionManager),
			PodManagementPolicy:  appsv1.ParallelPodManagement,
			UpdateStrategy:       appsv1.StatefulSetUpdateStrategy{Type: appsv1.RollingUpdateStatefulSetStrategyType},
			Template:             sessionManagerTemplate(s),
			VolumeClaimTemplates: []corev1.PersistentVolumeClaim{claimTemplate(claim)},
			PersistentVolumeClaimRetentionPolicy: &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
				WhenDeleted: appsv1.RetainPersistentVolumeClaimRetentionPolicyType,
				WhenScaled:  appsv1.RetainPersistentVolumeClaimRetentionPolicyType,
			},
		},
	}
}

func sessionManagerTemplate(s Settings) corev1.PodTemplateSpec {
	spec := podSpec(s, s.SessionManager, ComponentSessionManager)
	if len(spec.TopologySpreadConstraints) == 0 {
		spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{spreadOverNodes(s)}
	}
	spec.ServiceAccountName = ObjectName(s.Slug)
	// Time to hand live sessions over and flush the workspace.
	spec.TerminationGracePeriodSeconds = ptr(int64(60))
	spec.Containers = []corev1.Container{sessionManagerContainer(s)}
	spec.Volumes = []corev1.Volume{emptyDir(ScratchVolume, quantity("2Gi")), emptyDir(tmpVolume, quantity("1Gi"))}
	return corev1.PodTemplateSpec{
		ObjectMeta: podMetadata(s.SessionManager, sessionManagerLabels(s)),
		Spec:       spec,
	}
}
