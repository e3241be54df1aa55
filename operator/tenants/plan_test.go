package tenants_test

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ofPod is a pod's template that Pod Security restricted takes.
func ofPod() corev1.PodTemplateSpec {
	no, yes, user := false, true, int64(100)
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "x"}}, Spec: corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyAlways,
		Containers: []corev1.Container{{Name: "x", Image: "example.com/x:1", SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: &no, RunAsNonRoot: &yes, RunAsUser: &user, Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}}}}}}
}

// R50: whatever people made or run in a tenant is told before it goes, each once, and
// nothing that the operator, or Kubernetes for every namespace, makes again.
func TestThePlanTellsAllThatGoes(t *testing.T) {
	w := world(t)
	o := tenant(t, w, "planned", func(o *v1alpha1.KoraTenant) { o.Spec.DeletionPolicy = v1alpha1.DeletionDelete })
	ready(t, w, "planned")
	const at = "kora-tenant-planned"
	if plan, err := tenants.PlanOf(t.Context(), w.Admin, "planned"); err != nil || !plan.Empty() {
		t.Errorf("of a new tenant: %s, %v", plan, err)
	}
	admin, err := client.New(w.Cluster.Config(), client.Options{Scheme: scheme.Scheme})
	if err != nil {
		t.Fatal(err)
	}
	none := int32(0)
	of := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: at, Name: name} }
	rolled := ofPod()
	rolled.Labels = map[string]string{"app": "rolled"}
	old := ofPod()
	old.Labels = map[string]string{"app": "old"}
	hidden := of("hidden") // by an owner that is not there, and of a group that nobody collects for
	hidden.OwnerReferences = []metav1.OwnerReference{{APIVersion: "nobody.example.com/v1", Kind: "StatefulSet", Name: "x", UID: "x", Controller: new(true)}}
	once, selector := ofPod(), &metav1.LabelSelector{MatchLabels: ofPod().Labels}
	once.Spec.RestartPolicy = corev1.RestartPolicyNever
	done := &corev1.Pod{ObjectMeta: of("done"), Spec: once.Spec}
	done.Spec.SchedulerName = "nobody" // its status is the test's
	for _, each := range []client.Object{
		&corev1.Secret{ObjectMeta: of("key")}, &corev1.ConfigMap{ObjectMeta: of("notes")},
		&appsv1.Deployment{ObjectMeta: of("tool"), Spec: appsv1.DeploymentSpec{Selector: selector, Template: ofPod()}},
		&appsv1.ReplicaSet{ObjectMeta: of("rolled"), Spec: appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "rolled"}}, Template: rolled}},
		&appsv1.ReplicaSet{ObjectMeta: of("asleep"), Spec: appsv1.ReplicaSetSpec{Replicas: &none, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "rolled"}}, Template: rolled}},
		&batchv1.Job{ObjectMeta: of("import"), Spec: batchv1.JobSpec{Template: once}},
		&batchv1.CronJob{ObjectMeta: of("nightly"), Spec: batchv1.CronJobSpec{Schedule: "0 0 1 1 *", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: once}}}},
		&corev1.ReplicationController{ObjectMeta: of("old"), Spec: corev1.ReplicationControllerSpec{Replicas: &none, Selector: map[string]string{"app": "old"}, Template: &old}},
		&corev1.Pod{ObjectMeta: of("sandbox-coder-1"), Spec: once.Spec}, &corev1.Pod{ObjectMeta: hidden, Spec: once.Spec}, done,
	} {
		if err := admin.Create(t.Context(), each); err != nil {
			t.Fatalf("%T: %v", each, err)
		}
	}
	if err := admin.Status().Patch(t.Context(), done, client.RawPatch("application/merge-patch+json", []byte(`{"status":{"phase":"Succeeded"}}`))); err != nil {
		t.Fatal(err)
	}
	if err := w.Admin.Delete(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	const all = "1 Deployment (tool), 2 ReplicaSets (asleep, rolled), 1 ReplicationController (old), 1 CronJob (nightly), 1 Job (import), 1 Secret (key), 1 ConfigMap (notes), 2 Pods (hidden, "
	said := says(t, w, "planned", v1alpha1.ConditionReady, "False", v1alpha1.ReasonDeleting, "is in use: "+all, "sandbox-coder-1). spec")
	if message := meta.FindStatusCondition(said.Status.Conditions, v1alpha1.ConditionReady).Message; strings.Contains(message, "tool-") || strings.Contains(message, "rolled-") {
		t.Errorf("the controllers' pods are told of beside it: %s", message)
	}
	w.Confirm(t, "planned")
	operatortest.Eventually(t, func() error {
		home := &corev1.Namespace{}
		if err := w.Admin.Get(t.Context(), client.ObjectKey{Name: at}, home); err != nil || home.DeletionTimestamp == nil {
			return client.IgnoreNotFound(err)
		}
		return nil
	})
}
