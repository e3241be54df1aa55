package tenants

import (
	"context"
	"errors"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/pages"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants/proof"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

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
	case namespace == nil:
		return ctrl.Result{}, r.release(ctx, tenant)
	}
	p := r.begin(tenant)
	owns, _ := p.own(ctx, namespace)
	switch {
	case !owns && p.failed != nil:
		return ctrl.Result{}, p.failed
	case !owns:
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
	if !plan.Empty() && !plan.Confirmed(tenant) {
		return r.keepUp(ctx, tenant, &plan)
	}
	if err := (upkeep.Keeper{Client: r.client}).Remove(ctx, namespace); err != nil {
		return ctrl.Result{}, err
	}
	return r.going(ctx, tenant, namespace)
}

// Leaving reports whether a tenant is on its way out and leaves its namespace. One whose
// deletion waits to be confirmed is not: it goes on as before, and so does all that
// others keep for it, until its namespace is being deleted, which tells of itself.
func Leaving(tenant *v1alpha1.KoraTenant) bool {
	return tenant.DeletionTimestamp != nil && tenant.Spec.DeletionPolicy != v1alpha1.DeletionDelete
}

// leave keeps the namespace with everything in it, but for what others keep there for
// the tenant alone, and then the rights of kora's services: without a tenant they
// have no business there. The bindings are asked of the API server: the cache may
// not hold one that was written a moment ago.
func (r *Reconciler) leave(ctx context.Context, tenant *v1alpha1.KoraTenant, namespace *corev1.Namespace) error {
	if err := r.letGo(ctx, tenant, namespace); err != nil {
		return err
	}
	for o, err := range pages.Of(ctx, r.live, &rbacv1.RoleBindingList{}, client.InNamespace(namespace.Name), client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.Operator}) {
		if err != nil {
			return err
		}
		if err := (upkeep.Keeper{Client: r.client}).Revoke(ctx, o); err != nil {
			return err
		}
	}
	key, err := r.key(ctx)
	if err != nil {
		return err
	}
	before := namespace.DeepCopy()
	if namespace.Annotations == nil {
		namespace.Annotations = map[string]string{}
	}
	namespace.Annotations[v1alpha1.AnnotationTenantUID] = retained
	namespace.Annotations[v1alpha1.AnnotationMark] = proof.Mark(key, namespace)
	if err := r.client.Patch(ctx, namespace, client.MergeFrom(before), client.FieldOwner(v1alpha1.Operator)); client.IgnoreNotFound(err) != nil {
		return err
	}
	return r.release(ctx, tenant)
}

// letGo has others take away what is not to stay. Where somebody took the operator's
// rights, it gives them to itself again first, and is tried again.
func (r *Reconciler) letGo(ctx context.Context, tenant *v1alpha1.KoraTenant, namespace *corev1.Namespace) error {
	var failed error
	for _, c := range r.checks {
		if l, is := c.(Leaver); is {
			failed = errors.Join(failed, l.Leave(ctx, tenant))
		}
	}
	if apierrors.IsForbidden(failed) {
		p := r.begin(tenant)
		p.namespace = namespace
		own := bindings()[0]
		p.keep(ctx, p.binding(own.account, own.role))
	}
	return failed
}

// keepUp is a usual pass over a tenant whose deletion waits to be confirmed.
func (r *Reconciler) keepUp(ctx context.Context, tenant *v1alpha1.KoraTenant, plan *Plan) (ctrl.Result, error) {
	before := tenant.DeepCopy()
	p := r.begin(tenant)
	p.run(ctx)
	p.set(v1alpha1.ConditionReady, status.Bad(v1alpha1.ReasonDeleting, "%s", plan.Question(tenant)))
	p.soon(retry)
	p.failed = errors.Join(p.failed, p.expire(ctx)) // one of another plan, which may come to be again
	return again(p.next, errors.Join(p.failed, status.Write(ctx, r.client, before, tenant)))
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
	return again(retry, client.IgnoreNotFound(status.Write(ctx, r.client, before, tenant)))
}
