package tenants

import (
	"slices"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/opa"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// counts leaves out of a plan what the operator made, what is made for every namespace,
// and what goes with another that the plan has seen, by its UID. Labels, annotations and
// owners are anybody's to write, so that each takes out only what they can be true of:
// nothing is hidden by a word on it (R50).
func (p *Plan) counts(kind string, o metav1.Object) bool {
	if kind == "ConfigMap" && slices.Contains([]string{"kube-root-ca.crt", "istio-ca-root-cert", "istio-ca-crl"}, o.GetName()) {
		return false
	}
	return !own(kind, o) && !p.made(kind, o)
}

// own reports whether an object is one that the operator makes, or would take away
// for its own.
func own(kind string, o metav1.Object) bool {
	if o.GetLabels()[v1alpha1.LabelManagedBy] != v1alpha1.Operator {
		return false
	}
	switch kind {
	case "ConfigMap":
		return o.GetName() == v1alpha1.TenantCA || o.GetName() == opa.ConfigMap
	case "Secret":
		return o.GetName() == v1alpha1.TenantCA || o.GetName() == v1alpha1.EgressCA || o.GetAnnotations()[v1alpha1.AnnotationPullSecret] != ""
	case "SandboxImage":
		return o.GetLabels()[v1alpha1.LabelBundled] == o.GetName() && slices.Contains(v1alpha1.BundledImages, o.GetName())
	}
	return false
}

// made reports whether a controller made an object for another that is there: counted
// itself, made for one, or the operator's. A claim is never left out: with its StatefulSet
// it may go, and what is in it goes for good.
func (p *Plan) made(kind string, o metav1.Object) bool {
	owner := metav1.GetControllerOfNoCopy(o)
	return owner != nil && slices.Contains(makers[kind], owner.Kind) && p.seen[owner.Kind+"/"+string(owner.UID)]
}

// makers are the kinds that make others, by what they make. The plan reads them first.
var makers = map[string][]string{
	"ReplicaSet": {"Deployment"},
	"Job":        {"CronJob"},
	"DaemonSet":  {"SandboxImage"},
	"Pod":        {"StatefulSet", "ReplicaSet", "ReplicationController", "DaemonSet", "Job"},
}

// makes reports whether objects of a kind make others.
func makes(kind string) bool {
	for _, by := range makers {
		if slices.Contains(by, kind) {
			return true
		}
	}
	return false
}

// runs reports whether a pod is under way: a sandbox's run ends with it.
func runs(p *corev1.Pod) bool {
	return p.DeletionTimestamp == nil && p.Status.Phase != corev1.PodSucceeded && p.Status.Phase != corev1.PodFailed
}

// sandbox reports whether a pod is one of a run. Others come and go all the time, and
// what they write is in a workspace.
func sandbox(p *corev1.Pod) bool {
	return p.Labels[agents.LabelComponent] == agents.ComponentSandbox
}
