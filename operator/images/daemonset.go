package images

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// LabelImage names the SandboxImage whose DaemonSet or pod it is.
const LabelImage = "runkora.io/sandbox-image"

// annotationHash is of the spec that the operator wants: a field that it wants no
// longer shows in it.
const annotationHash = "runkora.io/spec-hash"

// daemonSet keeps an image pulled on every node that runs sandboxes: a pod that
// sleeps, placed as they are, by the digest that they pull.
func (r *Reconciler) daemonSet(of carried) *appsv1.DaemonSet {
	image := of.images[0]
	tenant := strings.TrimPrefix(image.Namespace, v1alpha1.TenantNamespacePrefix)
	all := map[string]string{LabelImage: image.Name, v1alpha1.LabelTenant: tenant,
		v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora"}
	pods := map[string]string{LabelImage: image.Name, v1alpha1.LabelPartOf: "kora", "sidecar.istio.io/inject": "false"}
	everywhere := intstr.FromString("100%")
	set := &appsv1.DaemonSet{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "DaemonSet"},
		ObjectMeta: metav1.ObjectMeta{Name: warmName(image), Namespace: image.Namespace, Labels: all, OwnerReferences: owners(of)},
		Spec: appsv1.DaemonSetSpec{
			Selector:             &metav1.LabelSelector{MatchLabels: map[string]string{LabelImage: image.Name}},
			RevisionHistoryLimit: new(int32),
			UpdateStrategy: appsv1.DaemonSetUpdateStrategy{Type: appsv1.RollingUpdateDaemonSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDaemonSet{MaxUnavailable: &everywhere}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: pods}, Spec: r.warmPod(image)},
		},
	}
	text, _ := json.Marshal([]any{set.Spec, set.OwnerReferences}) // typed objects always marshal
	set.Annotations = map[string]string{annotationHash: fmt.Sprintf("%x", sha256.Sum256(text))}
	return set
}

// owners are the image that a DaemonSet is named for and the next that shares it: while
// that one is there, the DaemonSet does not go with the first, and its pods run until
// those of the next one's do.
func owners(of carried) []metav1.OwnerReference {
	var all []metav1.OwnerReference
	for _, image := range of.images[:min(len(of.images), 2)] {
		all = append(all, metav1.OwnerReference{APIVersion: v1alpha1.GroupVersion.String(), Kind: "SandboxImage", Name: image.Name, UID: image.UID})
	}
	yes := true
	all[0].Controller, all[0].BlockOwnerDeletion = &yes, &yes
	return all
}

// warmPod passes Pod Security level restricted (R6).
func (r *Reconciler) warmPod(image *v1alpha1.SandboxImage) corev1.PodSpec {
	where := r.settings.SandboxPlacement
	no, yes, id, at := false, true, int64(100), int64(0)
	profile := &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	var pulls []corev1.LocalObjectReference
	for _, name := range r.pullSecrets(image) {
		pulls = append(pulls, corev1.LocalObjectReference{Name: name})
	}
	return corev1.PodSpec{
		AutomountServiceAccountToken: &no, EnableServiceLinks: &no, TerminationGracePeriodSeconds: &at,
		NodeSelector: where.NodeSelector, Tolerations: where.Tolerations, Affinity: onPlatforms(where.Affinity, image.Status.Platforms),
		ImagePullSecrets: pulls,
		SecurityContext:  &corev1.PodSecurityContext{RunAsUser: &id, RunAsGroup: &id, RunAsNonRoot: &yes, SeccompProfile: profile},
		Containers: []corev1.Container{{
			Name: "sleep", Image: pinned(image), Command: []string{"sleep", "infinity"},
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1m"), corev1.ResourceMemory: resource.MustParse("8Mi")},
				Limits:   corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("32Mi")},
			},
			SecurityContext: &corev1.SecurityContext{AllowPrivilegeEscalation: &no, ReadOnlyRootFilesystem: &yes, RunAsNonRoot: &yes,
				Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}, SeccompProfile: profile},
		}},
	}
}

// pinned is the image by the digest that it resolved to, without its tag.
func pinned(image *v1alpha1.SandboxImage) string {
	name, _, _ := strings.Cut(image.Spec.Image, "@")
	if colon := strings.LastIndex(name, ":"); colon > strings.LastIndex(name, "/") {
		name = name[:colon]
	}
	return name + "@" + image.Status.Digest
}
