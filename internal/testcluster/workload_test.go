package testcluster

import (
	"context"
	"fmt"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var create = metav1.CreateOptions{}

func TestStatefulSetWithClaimsBecomesReady(t *testing.T) {
	c := Shared(t)
	namespace := c.Namespace(t, Restricted)
	sets := c.Client().AppsV1().StatefulSets(namespace)
	if _, err := sets.Create(t.Context(), statefulSet("web"), create); err != nil {
		t.Fatal(err)
	}
	eventually(t, c, "two replicas", func(ctx context.Context) error {
		set, err := sets.Get(ctx, "web", metav1.GetOptions{})
		if err == nil && set.Status.ReadyReplicas != 2 {
			err = fmt.Errorf("%d of 2 are ready", set.Status.ReadyReplicas)
		}
		return err
	})
	claims, err := c.Client().CoreV1().PersistentVolumeClaims(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(claims.Items) != 2 {
		t.Fatalf("%d claims, want 2: %v", len(claims.Items), err)
	}
	for _, claim := range claims.Items {
		if claim.Status.Phase != corev1.ClaimBound {
			t.Errorf("claim %s is %s", claim.Name, claim.Status.Phase)
		}
	}
}

func TestSharedClaimIsBoundAndReclaimed(t *testing.T) {
	c := Shared(t)
	claims := c.Client().CoreV1().PersistentVolumeClaims(c.Namespace(t, Restricted))
	wanted := claim("shared", ptr(SharedStorageClass))
	wanted.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteMany}
	if _, err := claims.Create(t.Context(), wanted, create); err != nil {
		t.Fatal(err)
	}
	var volume string
	eventually(t, c, "the claim", func(ctx context.Context) error {
		got, err := claims.Get(ctx, "shared", metav1.GetOptions{})
		if err == nil && got.Status.Phase != corev1.ClaimBound {
			err = fmt.Errorf("it is %s", got.Status.Phase)
		}
		volume = got.Spec.VolumeName
		return err
	})
	if err := claims.Delete(t.Context(), "shared", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, c, "the volume's end", func(ctx context.Context) error {
		_, err := c.Client().CoreV1().PersistentVolumes().Get(ctx, volume, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("volume %s is still there: %w", volume, err)
	})
}

func TestJobEndsAsItsOutcomeSays(t *testing.T) {
	c := Shared(t)
	jobs := c.Client().BatchV1().Jobs(c.Namespace(t, Restricted))
	for outcome, want := range map[string]batchv1.JobConditionType{
		"": batchv1.JobComplete, Complete: batchv1.JobComplete, Fail: batchv1.JobFailed,
	} {
		name := "job" + outcome
		if _, err := jobs.Create(t.Context(), job(name, outcome), create); err != nil {
			t.Fatal(err)
		}
		eventually(t, c, name+" to be "+string(want), func(ctx context.Context) error {
			job, err := jobs.Get(ctx, name, metav1.GetOptions{})
			if err == nil && !hasCondition(job, want) {
				err = fmt.Errorf("its conditions are %v", job.Status.Conditions)
			}
			return err
		})
	}
}

func hasCondition(job *batchv1.Job, want batchv1.JobConditionType) bool {
	for _, condition := range job.Status.Conditions {
		if condition.Type == want && condition.Status == corev1.ConditionTrue {
			return true
		}
	}
	return false
}

func TestHangingJobNeverEndsAndPendingPodNeverStarts(t *testing.T) {
	c := Shared(t)
	namespace := c.Namespace(t, Restricted)
	jobs, pods := c.Client().BatchV1().Jobs(namespace), c.Client().CoreV1().Pods(namespace)
	if _, err := pods.Create(t.Context(), outcomePod("pending", Pending), create); err != nil {
		t.Fatal(err)
	}
	if _, err := jobs.Create(t.Context(), job("hang", Hang), create); err != nil {
		t.Fatal(err)
	}
	eventually(t, c, "its pod", func(ctx context.Context) error {
		pods, err := pods.List(ctx, metav1.ListOptions{
			LabelSelector: "batch.kubernetes.io/job-name=hang", FieldSelector: "status.phase=Running"})
		if err == nil && len(pods.Items) != 1 {
			err = fmt.Errorf("%d pods run", len(pods.Items))
		}
		return err
	})
	time.Sleep(2 * time.Second) // others have ended long before
	got, err := jobs.Get(t.Context(), "hang", metav1.GetOptions{})
	if err != nil || got.Status.Active != 1 || len(got.Status.Conditions) != 0 {
		t.Errorf("status is %+v: %v", got.Status, err)
	}
	pod, err := pods.Get(t.Context(), "pending", metav1.GetOptions{})
	if err != nil || pod.Spec.NodeName == "" || pod.Status.Phase != corev1.PodPending {
		t.Errorf("the pod on %q is %s: %v", pod.Spec.NodeName, pod.Status.Phase, err)
	}
}

func TestBarePodGoesWhereItsOutcomeSays(t *testing.T) {
	c := Shared(t)
	pods := c.Client().CoreV1().Pods(c.Namespace(t, Restricted))
	for outcome, want := range map[string]corev1.PodPhase{
		"": corev1.PodRunning, Complete: corev1.PodSucceeded, Fail: corev1.PodFailed, Hang: corev1.PodRunning,
	} {
		name := "pod" + outcome
		if _, err := pods.Create(t.Context(), outcomePod(name, outcome), create); err != nil {
			t.Fatal(err)
		}
		eventually(t, c, name, func(ctx context.Context) error {
			pod, err := pods.Get(ctx, name, metav1.GetOptions{})
			if err == nil && (pod.Status.Phase != want || isPodReady(pod) != (outcome == "")) {
				err = fmt.Errorf("it is %s, ready %t", pod.Status.Phase, isPodReady(pod))
			}
			return err
		})
	}
}

func isPodReady(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

func TestPodsGoToThePoolTheyAskFor(t *testing.T) {
	c := Shared(t)
	pods := c.Client().CoreV1().Pods(c.Namespace(t, Restricted))
	for tier, want := range map[string][]string{
		"kora-sandbox": {"kora-sandbox-a", "kora-sandbox-b"}, "": {"general-a", "general-b"},
	} {
		pod := goodPod("in-" + tier + "x")
		if tier != "" {
			pod.Spec.NodeSelector = map[string]string{TierLabel: tier}
			pod.Spec.Tolerations = []corev1.Toleration{{Key: TierLabel, Value: tier, Effect: corev1.TaintEffectNoSchedule}}
		}
		if _, err := pods.Create(t.Context(), pod, create); err != nil {
			t.Fatal(err)
		}
		eventually(t, c, "a node for tier "+tier, func(ctx context.Context) error {
			got, err := pods.Get(ctx, pod.Name, metav1.GetOptions{})
			if err == nil && got.Spec.NodeName != want[0] && got.Spec.NodeName != want[1] {
				err = fmt.Errorf("it is on %q, want one of %q", got.Spec.NodeName, want)
			}
			return err
		})
	}
}

func TestAutoscalerAndDisruptionBudgetAreTaken(t *testing.T) {
	c := Shared(t)
	namespace := c.Namespace(t, Restricted)
	_, err := c.Client().AutoscalingV2().HorizontalPodAutoscalers(namespace).Create(t.Context(), &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{MaxReplicas: 3,
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web"},
			Metrics: []autoscalingv2.MetricSpec{{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
				Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: ptr(int32(80))}}}}},
	}, create)
	if err != nil {
		t.Errorf("autoscaler: %v", err)
	}
	budget := policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: "web"}, Spec: policyv1.PodDisruptionBudgetSpec{
		MaxUnavailable: ptr(intstr.FromInt32(1)), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}}
	if _, err := c.Client().PolicyV1().PodDisruptionBudgets(namespace).Create(t.Context(), &budget, create); err != nil {
		t.Errorf("disruption budget: %v", err)
	}
}

// helm test waits until its pod has ended.
func TestHookPodOfHelmCompletesUnlessItsOutcomeIsAnother(t *testing.T) {
	c := Shared(t)
	pods := c.Client().CoreV1().Pods(c.Namespace(t, Restricted))
	for outcome, want := range map[string]corev1.PodPhase{"": corev1.PodSucceeded, Fail: corev1.PodFailed} {
		pod := outcomePod("hook"+outcome, outcome)
		pod.Spec.RestartPolicy = corev1.RestartPolicyNever
		if pod.Annotations == nil {
			pod.Annotations = map[string]string{}
		}
		pod.Annotations["helm.sh/hook"] = "test"
		if _, err := pods.Create(t.Context(), pod, create); err != nil {
			t.Fatal(err)
		}
		eventually(t, c, pod.Name+" to end", func(ctx context.Context) error {
			got, err := pods.Get(ctx, pod.Name, metav1.GetOptions{})
			if err == nil && got.Status.Phase != want {
				err = fmt.Errorf("it is %s, want %s", got.Status.Phase, want)
			}
			return err
		})
	}
}
