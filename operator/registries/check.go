package registries

import (
	"context"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Condition is the part of a tenant's status that tells of its registries.
func (r *Reconciler) Condition() string { return v1alpha1.ConditionRegistriesReady }

// Watch wakes a tenant when one of its resources changes.
func (r *Reconciler) Watch(to *builder.Builder) {
	wake := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		tenant, ok := strings.CutPrefix(o.GetNamespace(), v1alpha1.TenantNamespacePrefix)
		if !ok {
			return nil
		}
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Name: tenant}}}
	})
	for _, o := range rules.Registered() {
		to.Watches(o, wake)
	}
}

// Leave takes away a tenant's ServiceEntries (R51), when no pass is under way: the next
// one finds that the tenant leaves, and makes none, nor a right to its Secrets.
func (r *Reconciler) Leave(ctx context.Context, tenant *v1alpha1.KoraTenant) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.mesh.leave(ctx, v1alpha1.TenantNamespace(tenant.Name))
}

// Judge says how it stands with a tenant's resources (R50, R51). One that is wrong
// is counted and told of on its own status: the tenant is not held up by it.
func (r *Reconciler) Judge(ctx context.Context, tenant *v1alpha1.KoraTenant) (status.Verdict, []v1alpha1.InventoryItem, error) {
	if tenant.Spec.Suspended {
		return status.Bad(v1alpha1.ReasonSuspended, "the tenant's resources are out of the registries until spec.suspended is false"), nil, nil
	}
	var all, unseen, wrong int
	var kept rows
	for _, kind := range kinds {
		objects, err := list(ctx, r.client, kind, client.InNamespace(v1alpha1.TenantNamespace(tenant.Name)))
		if err != nil {
			return status.Verdict{}, nil, err
		}
		for _, o := range objects {
			all++
			c := meta.FindStatusCondition(o.Common().Conditions, v1alpha1.ConditionReady)
			if c == nil || c.ObservedGeneration != o.GetGeneration() {
				unseen++
				continue
			}
			if c.Status != metav1.ConditionTrue {
				wrong++
			}
			kept.add(kind, o, status.Verdict{Status: c.Status, Reason: c.Reason, Message: c.Message})
		}
	}
	switch {
	case unseen > 0:
		return status.Wait("%d of %d resources are on their way into the registries", unseen, all), kept.items(), nil
	case wrong > 0:
		return status.Good("%d of %d resources are in the registries; the statuses of the other %d say what is wrong with them", all-wrong, all, wrong), kept.items(), nil
	}
	return status.Good("all of the tenant's resources, %d, are in the registries", all), kept.items(), nil
}
