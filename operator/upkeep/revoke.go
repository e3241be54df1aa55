package upkeep

import (
	"context"

	"github.com/runkora/kora/operator/api/v1alpha1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Revoke takes away a Role or RoleBinding that nothing needs (R50, R51). What a finalizer
// of somebody's holds there is in force until it goes, so it is emptied.
func (k Keeper) Revoke(ctx context.Context, o client.Object) error {
	if err := k.Remove(ctx, o); err != nil || len(o.GetFinalizers()) == 0 {
		return err
	}
	emptied := o.DeepCopyObject().(client.Object)
	switch e := emptied.(type) {
	case *rbacv1.Role:
		e.Rules = nil
	case *rbacv1.RoleBinding:
		e.Subjects = nil
	}
	if equality.Semantic.DeepEqual(o, emptied) {
		return nil
	}
	return client.IgnoreNotFound(k.Client.Patch(ctx, emptied, client.MergeFrom(o), client.FieldOwner(v1alpha1.Operator)))
}
