package rules

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// TenantOf gives the tenant that a namespace claims to be of: its name, its label and
// who manages it agree (R50). Anybody who may make a namespace can write all of them:
// see HomeOf.
func TenantOf(n *corev1.Namespace) (tenant string, ok bool) {
	tenant, prefixed := strings.CutPrefix(n.Name, v1alpha1.TenantNamespacePrefix)
	if !prefixed || tenant == "" || n.Labels[v1alpha1.LabelTenant] != tenant || n.Labels[v1alpha1.LabelManagedBy] != v1alpha1.Operator {
		return "", false
	}
	return tenant, true
}

// HomeOf reports whether a namespace is the one of a KoraTenant, which alone can tell
// (R50): by the UID that it names, and where an older operator has written none, by the
// name in its status.
func HomeOf(n *corev1.Namespace, t *v1alpha1.KoraTenant) bool {
	if tenant, ok := TenantOf(n); !ok || t == nil || t.Name != tenant {
		return false
	}
	uid := t.Annotations[v1alpha1.AnnotationNamespaceUID]
	return uid == string(n.UID) && uid != "" || uid == "" && t.Status.Namespace == n.Name
}

// MayBeTenants reports whether a namespace has the name of a tenant's.
func MayBeTenants(namespace string) bool {
	return strings.HasPrefix(namespace, v1alpha1.TenantNamespacePrefix)
}

// Abandoned is the fault of a resource in a namespace whose KoraTenant is gone and has
// left it (R50): nobody reads anything there until there is one again.
func Abandoned(namespace, tenant string) *field.Error {
	return invalid(field.NewPath("metadata", "namespace"), namespace,
		"is left behind by the KoraTenant %s, which is gone: nothing in it is read any more, and no run starts; create a KoraTenant %s, which takes the namespace up again, or delete what nobody needs", tenant, tenant)
}

// Homeless is the fault of a resource outside of a tenant's namespace (R51): no
// registry would ever list it.
func Homeless(namespace string) *field.Error {
	return invalid(field.NewPath("metadata", "namespace"), namespace,
		"is no tenant's: kora's resources live in the namespace kora-tenant-<name> that the operator makes for a KoraTenant; create it there")
}
