package registries

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/settings"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Reconciler keeps the registries. It is a part of the manager, and the check of
// tenants' registries.
type Reconciler struct {
	system string
	period time.Duration
	clock  clock.PassiveClock
	client client.Client
	live   client.Reader // past the caches

	mu      sync.Mutex // one pass at a time
	secrets secrets
	mesh    mesh
	grants  grants
	watched watched
	full    time.Time // of the last pass that asked the API server for everything
	idle    int       // passes in a row that found the same faults
	left    int       // of tenants that have more than their share of a pass
	told    written   // statuses, by UID
	put     written   // ConfigMaps, by name
	pause   pause     // until the next pass
}

// New makes the keeper of the registries.
func New(s settings.Settings, now clock.PassiveClock) *Reconciler {
	return &Reconciler{
		system: s.SystemNamespace, period: s.Sync(), clock: now, secrets: secrets{period: s.Sync()},
		mesh: mesh{system: s.SystemNamespace, only: s.Mesh.RegistryOnly()},
	}
}

// gather is how long what wakes a pass is gathered at least, and gatherMost at most.
const (
	gather     = 500 * time.Millisecond
	gatherMost = 10 * time.Second
	// share of the time that passes take at most, while there is always something
	// new: one sixth. A pass looks at everything, so that while ten thousand
	// resources are made one after the other, the cost would grow with their square.
	share = 5
)

// pause is how long to gather: longer after a pass that took long.
type pause struct{ nanoseconds atomic.Int64 }

func (p *pause) took(pass time.Duration) {
	p.nanoseconds.Store(int64(min(max(share*pass, gather), gatherMost)))
}

func (p *pause) get() time.Duration { return max(time.Duration(p.nanoseconds.Load()), gather) }

// pass is the one request of this controller.
var pass = reconcile.Request{NamespacedName: types.NamespacedName{Name: "registries"}}

// SetupWithManager adds the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.client, r.live = mgr.GetClient(), mgr.GetAPIReader()
	r.secrets.reader, r.mesh.client = mgr.GetClient(), mgr.GetClient()
	r.grants = grants{upkeep.Keeper{Client: r.client, Live: r.live, Events: mgr.GetEventRecorder(v1alpha1.Operator)}, r.system}
	ofGrants := builder.WithPredicates(predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetLabels()[LabelGrant] != "" }))
	b := ctrl.NewControllerManagedBy(mgr).Named("registries").
		Watches(&v1alpha1.KoraTenant{}, r.soonPass(), builder.WithPredicates(ofTenants())).
		Watches(&corev1.Namespace{}, r.soonPass(), builder.WithPredicates(predicate.LabelChangedPredicate{})).
		Watches(&corev1.Service{}, r.soonPass(), builder.WithPredicates(r.ofServices())).
		Watches(&rbacv1.Role{}, r.soonPass(), ofGrants).Watches(&rbacv1.RoleBinding{}, r.soonPass(), ofGrants).
		Watches(&corev1.ConfigMap{}, r.soonPass(), builder.WithPredicates(predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetLabels()[LabelRegistry] != "" })))
	for _, o := range rules.Registered() {
		b = b.Watches(o, r.soonPass(), builder.WithPredicates(status.Changed()))
	}
	c, err := b.WithOptions(upkeep.Options(1)).Build(r)
	if err != nil {
		return err
	}
	return r.mesh.watch(mgr, c, r.pause.get)
}

// ofTenants are the changes of a KoraTenant that matter: of its spec, its deletion,
// and the annotation that confirms that.
func ofTenants() predicate.Predicate {
	return predicate.Or[client.Object](predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{})
}

// soonPass asks for a pass in a moment; a pass that is asked for already is not
// put off by another.
func (r *Reconciler) soonPass() handler.EventHandler {
	return handler.Funcs{
		CreateFunc:  func(_ context.Context, _ event.CreateEvent, q queue) { q.AddAfter(pass, r.pause.get()) },
		UpdateFunc:  func(_ context.Context, _ event.UpdateEvent, q queue) { q.AddAfter(pass, r.pause.get()) },
		DeleteFunc:  func(_ context.Context, _ event.DeleteEvent, q queue) { q.AddAfter(pass, r.pause.get()) },
		GenericFunc: func(_ context.Context, _ event.GenericEvent, q queue) { q.AddAfter(pass, r.pause.get()) },
	}
}
