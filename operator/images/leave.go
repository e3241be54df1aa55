package images

import (
	"context"
	"errors"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/pages"
	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Leave takes away the DaemonSets of a tenant's warm images (R50, R52): no sandbox
// starts there any more. None is made again, since the tenant leaves. They are asked of
// the API server: the cache may not hold one that was made a moment ago.
func (b *Bundled) Leave(ctx context.Context, tenant *v1alpha1.KoraTenant) error {
	at := client.InNamespace(v1alpha1.TenantNamespace(tenant.Name))
	var failed []error
	for is, err := range pages.Of(ctx, b.live, &appsv1.DaemonSetList{}, at, client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.Operator}) {
		if err != nil {
			return fmt.Errorf("list the DaemonSets of warm images: %w", err)
		}
		uid := is.GetUID()
		if err := b.client.Delete(ctx, is, client.Preconditions{UID: &uid}); client.IgnoreNotFound(err) != nil {
			failed = append(failed, fmt.Errorf("delete DaemonSet %s: %w", is.GetName(), err))
		}
	}
	return errors.Join(failed...)
}
