package testcluster

import (
	"context"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ptr gives the address of a value, as many API fields want it.
func ptr[T any](v T) *T { return &v }

// eventually waits for what the cluster does by itself.
func eventually(t *testing.T, c *Cluster, what string, ready func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := c.procs.poll(ctx, what, ready); err != nil {
		t.Fatal(err)
	}
}

// goodPod is one that a namespace enforcing "restricted" takes.
func goodPod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": name}},
		Spec: corev1.PodSpec{
			SecurityContext: &corev1.PodSecurityContext{RunAsNonRoot: ptr(true),
				SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}},
			Containers: []corev1.Container{{Name: "main", Image: "example.invalid/main:1",
				SecurityContext: &corev1.SecurityContext{AllowPrivilegeEscalation: ptr(false),
					Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}}}},
		},
	}
}

// outcomePod is a goodPod with an outcome; the empty one is none.
func outcomePod(name, outcome string) *corev1.Pod {
	pod := goodPod(name)
	if outcome != "" {
		pod.Annotations = map[string]string{OutcomeAnnotation: outcome}
	}
	return pod
}

func template(pod *corev1.Pod) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: pod.Labels, Annotations: pod.Annotations}, Spec: pod.Spec}
}

// job has no second try.
func job(name, outcome string) *batchv1.Job {
	pod := outcomePod(name, outcome)
	pod.Spec.RestartPolicy = corev1.RestartPolicyNever
	return &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: batchv1.JobSpec{BackoffLimit: ptr(int32(0)), Template: template(pod)}}
}

// statefulSet has two replicas, each with a claim of the default class.
func statefulSet(name string) *appsv1.StatefulSet {
	pod := goodPod(name)
	return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: appsv1.StatefulSetSpec{
		ServiceName: name, Replicas: ptr(int32(2)),
		Selector: &metav1.LabelSelector{MatchLabels: pod.Labels}, Template: template(pod),
		VolumeClaimTemplates: []corev1.PersistentVolumeClaim{*claim("data", nil)},
	}}
}

func claim(name string, class *string) *corev1.PersistentVolumeClaim {
	return &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, StorageClassName: class,
		Resources: corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}},
	}}
}
