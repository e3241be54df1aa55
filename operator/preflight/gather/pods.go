package gather

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/operator/preflight/facts"
)

// podLimit is the most pods that are tried: the chart has fifteen workloads.
const podLimit = 60

// templates are where a workload has what its pods are made of.
var templates = map[string][]string{
	"Deployment": {"spec", "template"}, "StatefulSet": {"spec", "template"}, "DaemonSet": {"spec", "template"}, "Job": {"spec", "template"},
	"CronJob": {"spec", "jobTemplate", "spec", "template"},
}

// pods tries a pod of each workload that the server takes: it takes a Deployment
// under any quota, LimitRange, level or webhook of pods, and refuses what that
// makes. It gives the answers, and what the Deployments that are not there yet ask
// for in all, by namespace.
func (t *trial) pods(ctx context.Context, answers []facts.Answer) ([]facts.Answer, map[string]*demand) {
	var out []facts.Answer
	all, tried := map[string]*demand{}, 0
	for i, o := range t.Release {
		pod := t.podOf(o)
		if pod == nil || answers[i].Refused != "" || t.coming[o.GetNamespace()] || tried == podLimit {
			continue
		}
		tried++
		a, made := t.tryPod(ctx, o, pod, answers[i].Owner != nil, t.ofAgent(i))
		if a.Refused != "" || a.Untried != "" {
			out = append(out, a)
		}
		if made != nil && o.GetKind() == "Deployment" && answers[i].Owner == nil {
			if all[o.GetNamespace()] == nil {
				all[o.GetNamespace()] = &demand{}
			}
			all[o.GetNamespace()].add(made, replicas(o))
		}
	}
	return out, all
}

// tryPod asks for one pod, and gives it as the server would have it. Where the
// workload is there, a full quota says nothing: its own pods may be what fills it. The
// pods of agents are held to no rule of this namespace's own.
func (t *trial) tryPod(ctx context.Context, o *unstructured.Unstructured, pod *corev1.Pod, there, elsewhere bool) (facts.Answer, *corev1.Pod) {
	answer := facts.Answer{Object: "Pod " + o.GetNamespace() + "/" + o.GetName() + ", of the " + o.GetKind()}
	made, err := t.typed.CoreV1().Pods(o.GetNamespace()).Create(ctx, pod, metav1.CreateOptions{FieldManager: fieldManager, DryRun: []string{metav1.DryRunAll}})
	switch {
	case err == nil:
		return answer, made
	case elsewhere && local(err):
	case there && apierrors.IsForbidden(err) && strings.Contains(err.Error(), "exceeded quota"):
	default:
		t.answered(&answer, o, err)
	}
	return answer, nil
}

// podOf is a pod of a workload, nil for what has none. Its ServiceAccount and its
// priority may be the release's own, which are not there to be looked up.
func (t *trial) podOf(o *unstructured.Unstructured) *corev1.Pod {
	plain, there, err := unstructured.NestedMap(o.Object, templates[o.GetKind()]...)
	if templates[o.GetKind()] == nil || !there || err != nil {
		return nil
	}
	var template corev1.PodTemplateSpec
	if runtime.DefaultUnstructuredConverter.FromUnstructured(plain, &template) != nil {
		return nil // the object itself is refused for that
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: o.GetName() + "-preflight", Namespace: o.GetNamespace(), Labels: template.Labels, Annotations: template.Annotations}, Spec: template.Spec}
	pod.Spec.ServiceAccountName, pod.Spec.DeprecatedServiceAccount = "", ""
	if t.brings("PriorityClass", pod.Spec.PriorityClassName) {
		pod.Spec.PriorityClassName = ""
	}
	claims, _, _ := unstructured.NestedSlice(o.Object, "spec", "volumeClaimTemplates")
	for _, c := range claims {
		claim, _ := c.(map[string]any)
		name, _, _ := unstructured.NestedString(claim, "metadata", "name")
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
	}
	return pod
}

func (t *trial) brings(kind, name string) bool {
	for _, o := range t.Release {
		if o.GetKind() == kind && o.GetName() == name {
			return true
		}
	}
	return false
}

// replicas are those of a workload, whose numbers are whole or not by who read them.
func replicas(o *unstructured.Unstructured) int64 {
	if n, ok, err := unstructured.NestedInt64(o.Object, "spec", "replicas"); ok && err == nil {
		return n
	}
	if n, ok, err := unstructured.NestedFloat64(o.Object, "spec", "replicas"); ok && err == nil {
		return int64(n)
	}
	return 1
}
