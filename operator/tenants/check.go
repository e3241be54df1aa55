package tenants

import (
	"context"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"sigs.k8s.io/controller-runtime/pkg/builder"
)

// Check is the part of a tenant that another package keeps. The tenant's status
// tells of it, and only the tenants' reconciler writes that status.
type Check interface {
	// Condition is RegistriesReady or ImagesReady.
	Condition() string
	// Judge says how it stands with the part, without a write, and lists its
	// objects. An error is one of the API server's: the tenant is tried again.
	Judge(ctx context.Context, tenant *v1alpha1.KoraTenant) (status.Verdict, []v1alpha1.InventoryItem, error)
	// Watch adds to the tenants' controller what tells that the part changed, such
	// as b.Watches(&v1alpha1.SandboxImage{}, tenants.OfNamespace()).
	Watch(b *builder.Builder)
}

// Leaver is a Check that keeps objects in a tenant's namespace which do not stay when
// the tenant goes and the namespace does.
type Leaver interface {
	Check
	// Leave takes them away, while the operator still has its rights there; nothing
	// of the kind is made afterwards. What is gone already is no error.
	Leave(ctx context.Context, tenant *v1alpha1.KoraTenant) error
}
