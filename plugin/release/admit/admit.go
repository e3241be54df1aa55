package admit

import (
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/spelling"
	"github.com/runkora/kora/operator/patches/guard"
)

// checker collects what is found in one object.
type checker struct {
	found []guard.Violation
	newer bool
}

// Newer is the version of Kubernetes from which an address in a network is no longer
// taken for the network, and a Service's name may begin with a digit.
const Newer = "1.36"

// Check returns what the API server would refuse in an object of one of
// Kubernetes' own types, apart from its metadata; nothing of a type it does not know.
// Newer is true of the version of that name and later ones.
func Check(o runtime.Object, newer bool) []guard.Violation {
	c := &checker{newer: newer}
	switch o := o.(type) {
	case *appsv1.Deployment:
		c.deployment(&o.Spec)
	case *appsv1.DaemonSet:
		c.workload(o.Spec.Selector, o.Spec.Template, corev1.RestartPolicyAlways)
	case *appsv1.StatefulSet:
		c.workload(o.Spec.Selector, o.Spec.Template, corev1.RestartPolicyAlways)
	case *appsv1.ReplicaSet:
		c.workload(o.Spec.Selector, o.Spec.Template, corev1.RestartPolicyAlways)
	case *batchv1.Job:
		c.job("spec", &o.Spec)
	case *batchv1.CronJob:
		c.cronJob(&o.Spec)
	case *corev1.Service:
		c.service(&o.Spec)
		c.serviceAnnotations(o.Annotations, o.Spec.Type == corev1.ServiceTypeLoadBalancer)
	case *corev1.ConfigMap:
		c.configMap(o)
	case *corev1.Secret:
		c.secret(o)
	case *networkingv1.NetworkPolicy:
		c.networkPolicy(&o.Spec)
	case *networkingv1.Ingress:
		c.ingress(&o.Spec)
	case *policyv1.PodDisruptionBudget:
		c.budget(&o.Spec)
	case *rbacv1.Role:
		c.rules(o.Rules, false)
	case *rbacv1.ClusterRole:
		c.rules(o.Rules, true)
	case *rbacv1.RoleBinding:
		c.binding(o.RoleRef, o.Subjects, "Role", "ClusterRole")
	case *rbacv1.ClusterRoleBinding:
		c.binding(o.RoleRef, o.Subjects, "ClusterRole")
	case *schedulingv1.PriorityClass:
		c.priority(o)
	case *admissionv1.ValidatingWebhookConfiguration:
		for i, w := range o.Webhooks {
			c.webhook(fields.Path("webhooks").Index(i), w.Name, w.ClientConfig, w.SideEffects, w.AdmissionReviewVersions, w.TimeoutSeconds)
		}
	case *admissionv1.MutatingWebhookConfiguration:
		for i, w := range o.Webhooks {
			c.webhook(fields.Path("webhooks").Index(i), w.Name, w.ClientConfig, w.SideEffects, w.AdmissionReviewVersions, w.TimeoutSeconds)
		}
	}
	return c.found
}

func (c *checker) add(at fields.Path, message string, found any, expected string) {
	text := fmt.Sprint(found)
	if text == "" {
		text = "(none)"
	}
	c.found = append(c.found, guard.Violation{Code: faults.Unsound, Path: at, Message: message, Found: text, Expected: expected})
}

// must adds what a rule of Kubernetes' own library says of a text.
func (c *checker) must(at fields.Path, value string, rule func(string) []string) {
	if wrong := rule(value); len(wrong) > 0 {
		c.add(at, "the API server takes no such text here", value, spelling.Wanted(wrong))
	}
}

func (c *checker) between(at fields.Path, n, least, most int64) {
	if n < least || n > most {
		c.add(at, "the number is out of its bounds", n, fmt.Sprintf("%d to %d", least, most))
	}
}
