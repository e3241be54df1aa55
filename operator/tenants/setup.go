package tenants

import (
	"context"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

// atOnce is how many tenants are looked at at the same time.
const atOnce = 8

// SetupWithManager makes the tenants' controller: it sees each tenant's changes
// and whatever becomes of what it made. Changes of the status too: a pass may have
// judged by a cache that did not hold the last one yet, and have left it standing.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.client, r.live, r.events = mgr.GetClient(), mgr.GetAPIReader(), mgr.GetEventRecorder(v1alpha1.Operator)
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.KoraTenant{}, byDomain, domains); err != nil {
		return err
	}
	b := ctrl.NewControllerManagedBy(mgr).Named("tenants").
		For(&v1alpha1.KoraTenant{}).
		WithOptions(upkeep.Options(atOnce)).
		Watches(&corev1.Namespace{}, OfNamespace()).
		Watches(&corev1.ServiceAccount{}, OfNamespace()).
		Watches(&networkingv1.NetworkPolicy{}, OfNamespace()).
		Watches(&rbacv1.RoleBinding{}, OfNamespace())
	for _, c := range r.checks {
		c.Watch(b)
	}
	if err := watch(mgr, b); err != nil {
		return err
	}
	return b.Complete(r)
}

// byDomain is the index of tenants by the domains of their people.
const byDomain = "spec.oidc.domains"

func domains(o client.Object) (all []string) {
	for _, domain := range o.(*v1alpha1.KoraTenant).Spec.OIDC.Domains {
		all = append(all, string(domain))
	}
	return all
}

// OfNamespace leads from an object, or a namespace itself, to the tenant whose
// namespace it is.
func OfNamespace() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []ctrl.Request {
		namespace := o.GetNamespace()
		if namespace == "" {
			namespace = o.GetName()
		}
		tenant, ok := strings.CutPrefix(namespace, v1alpha1.TenantNamespacePrefix)
		if !ok {
			return nil
		}
		return []ctrl.Request{{NamespacedName: types.NamespacedName{Name: tenant}}}
	})
}
