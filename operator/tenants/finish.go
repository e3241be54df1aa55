package tenants

import (
	"context"
	"errors"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// retained stands in the place of the UID of a KoraTenant that was deleted and
// left its namespace: one of the same name may take it up again.
const retained = "retained"

// finish settles what a deleted tenant leaves behind, and then lets it go (R50).
// Until it is confirmed that workspaces may go, the tenant is kept up as it was:
// a deletion by mistake takes nothing and breaks nothing.
func (r *Reconciler) finish(ctx context.Context, tenant *v1alpha1.KoraTenant) (ctrl.Result, error) {
	if !controllerutil.ContainsFinalizer(tenant, v1alpha1.Finalizer) {
		return ctrl.Result{}, nil
	}
	namespace, err := r.find(ctx, v1alpha1.TenantNamespace(tenant.Name))
	switch {
	case err != nil:
		return ctrl.Result{}, err
	case namespace == nil || !Owns(tenant, namespace):
		return ctrl.Result{}, r.release(ctx, tenant) // nothing of it is the tenant's
	case tenant.Spec.DeletionPolicy != v1alpha1.DeletionDelete:
		return ctrl.Result{}, r.leave(ctx, tenant, namespace)
	case namespace.DeletionTimestamp != nil:
		return r.going(ctx, tenant, namespace)
	}
	plan, err := PlanOf(ctx, r.live, tenant.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if !plan.Empty() && !Confirmed(tenant) {
		return r.keepUp(ctx, tenant, &plan)
	}
	if err := (upkeep.Keeper{Client: r.client}).Remove(ctx, namespace); err != nil {
		return ctrl.Result{}, err
	}
	return r.going(ctx, tenant, namespace)
}

// Owns reports whether a namespace was made for this very tenant: no other one goes
// with it.
func Owns(tenant *v1alpha1.KoraTenant, namespace *corev1.Namespace) bool {
	return namespace.Annotations[v1alpha1.AnnotationTenantUID] == string(tenant.UID)
}

// Confirmed reports whether the tenant carries the annotation that lets its
// namespace be deleted with all in it.
func Confirmed(tenant *v1alpha1.KoraTenant) bool {
	return tenant.Annotations[v1alpha1.AnnotationConfirmDeletion] == tenant.Name
}

// leave keeps the namespace with everything in it, but for the rights of kora's
// services: without a tenant they have no business there.
func (r *Reconciler) leave(ctx context.Context, tenant *v1alpha1.KoraTenant, namespace *corev1.Namespace) error {
	list := &rbacv1.RoleBindingList{}
	if err := r.client.List(ctx, list, client.InNamespace(namespace.Name)); err != nil { // the cache holds only the operator's
		return err
	}
	for i := range list.Items {
		if err := (upkeep.Keeper{Client: r.client}).Remove(ctx, &list.Items[i]); err != nil {
			return err
		}
	}
	before := namespace.DeepCopy()
	namespace.Annotations[v1alpha1.AnnotationTenantUID] = retained
	if err := r.client.Patch(ctx, namespace, client.MergeFrom(before), client.FieldOwner(v1alpha1.Operator)); client.IgnoreNotFound(err) != nil {
		return err
	}
	return r.release(ctx, tenant)
}

// keepUp is a usual pass over a tenant whose deletion waits to be confirmed.
func (r *Reconciler) keepUp(ctx context.Context, tenant *v1alpha1.KoraTenant, plan *Plan) (ctrl.Result, error) {
	before := tenant.DeepCopy()
	p := r.begin(tenant)
	p.run(ctx)
	p.set(v1alpha1.ConditionReady, status.Bad(v1alpha1.ReasonDeleting, "%s", plan.Question(tenant)))
	p.soon(retry)
	return ctrl.Result{RequeueAfter: p.next}, errors.Join(p.failed, status.Write(ctx, r.client, before, tenant))
}

// going says what the namespace's end waits for. Its last event brings the tenant
// back here.
func (r *Reconciler) going(ctx context.Context, tenant *v1alpha1.KoraTenant, namespace *corev1.Namespace) (ctrl.Result, error) {
	before := tenant.DeepCopy()
	p := r.begin(tenant)
	message := fmt.Sprintf("namespace %s is being deleted", namespace.Name)
	for _, c := range namespace.Status.Conditions {
		if c.Status == corev1.ConditionTrue {
			message += ": " + c.Message
		}
	}
	verdict := status.Bad(v1alpha1.ReasonDeleting, "%s", message)
	for _, condition := range append([]string{v1alpha1.ConditionReady}, status.Parts(tenant)...) {
		p.set(condition, verdict)
	}
	tenant.Status.Inventory = []v1alpha1.InventoryItem{status.Item("Namespace", namespace.Name, verdict)}
	return ctrl.Result{RequeueAfter: retry}, client.IgnoreNotFound(status.Write(ctx, r.client, before, tenant))
}
