package tenants

import (
	"context"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// HomeOf gives the tenant whose namespace it is, and "" for nobody's, whatever its
// labels say (R50): also for one that a tenant left behind. The cache may not have seen
// what the operator has just made, so that a no is asked of the API server.
func HomeOf(ctx context.Context, cached, direct client.Reader, namespace string) (string, error) {
	if !rules.MayBeTenants(namespace) {
		return "", nil
	}
	for _, from := range []client.Reader{cached, direct} {
		switch tenant, err := homeOf(ctx, from, namespace); {
		case err != nil:
			return "", fmt.Errorf("read whose namespace %s is: %w", namespace, err)
		case tenant != "":
			return tenant, nil
		}
	}
	return "", nil
}

func homeOf(ctx context.Context, from client.Reader, namespace string) (string, error) {
	n, t := &corev1.Namespace{}, &v1alpha1.KoraTenant{}
	if err := from.Get(ctx, client.ObjectKey{Name: namespace}, n); err != nil {
		return "", client.IgnoreNotFound(err)
	}
	tenant, ok := rules.TenantOf(n)
	if !ok {
		return "", nil
	}
	if err := from.Get(ctx, client.ObjectKey{Name: tenant}, t); err != nil {
		return "", client.IgnoreNotFound(err)
	}
	if !rules.HomeOf(n, t) {
		return "", nil
	}
	return tenant, nil
}
