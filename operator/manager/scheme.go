package manager

import (
	"github.com/runkora/kora/operator/api/v1alpha1"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Scheme knows the kinds that the operator reads or writes, and no others. Those
// of the mesh are unstructured: a cluster without it still has tenants.
func Scheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	builder := runtime.NewSchemeBuilder(
		admissionv1.AddToScheme, appsv1.AddToScheme, corev1.AddToScheme, discoveryv1.AddToScheme,
		eventsv1.AddToScheme, networkingv1.AddToScheme, rbacv1.AddToScheme, v1alpha1.AddToScheme,
	)
	return scheme, builder.AddToScheme(scheme)
}
