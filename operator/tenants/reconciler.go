package tenants

import (
	"context"
	"errors"
	"hash/fnv"
	"sync"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/settings"
	"github.com/runkora/kora/operator/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Reconciler makes tenants live (R50). It is the only writer of their statuses.
type Reconciler struct {
	settings settings.Settings
	clock    clock.PassiveClock
	checks   []Check
	client   client.Client // reads from the cache, but for Secrets
	live     client.Reader // reads from the API server
	events   events.EventRecorder

	mu        sync.Mutex
	marks     []byte          // see key
	confirmed map[string]seen // by tenant
}

// New gives the tenants' part of the operator. Checks are of the parts that
// others keep; a condition without one is True.
func New(s settings.Settings, now clock.PassiveClock, checks ...Check) *Reconciler {
	return &Reconciler{settings: s, clock: now, checks: checks, confirmed: map[string]seen{}}
}

// retry is when a tenant is looked at again that waits for something which the
// operator does not watch, such as a Secret of the system namespace.
const retry = 30 * time.Second

// Reconcile makes one tenant as it should be, or says on its status why not.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	tenant := &v1alpha1.KoraTenant{}
	if err := r.client.Get(ctx, request.NamespacedName, tenant); err != nil {
		if apierrors.IsNotFound(err) {
			r.forget(request.Name)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if tenant.DeletionTimestamp != nil {
		return r.finish(ctx, tenant)
	}
	if err := r.hold(ctx, tenant); err != nil {
		return ctrl.Result{}, err
	}
	before := tenant.DeepCopy()
	p := r.begin(tenant)
	p.run(ctx)
	p.failed = errors.Join(p.failed, p.expire(ctx))
	return again(p.next, errors.Join(p.failed, status.Write(ctx, r.client, before, tenant)))
}

// again is when a tenant is looked at next: after a while, or after an error when the
// queue says so, which would not heed the while.
func again(after time.Duration, err error) (ctrl.Result, error) {
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: after}, nil
}

func (r *Reconciler) begin(tenant *v1alpha1.KoraTenant) *pass {
	return &pass{Reconciler: r, tenant: tenant, now: r.clock.Now(), next: r.period(tenant)}
}

// hold puts the finalizer on before anything is made.
func (r *Reconciler) hold(ctx context.Context, tenant *v1alpha1.KoraTenant) error {
	before := tenant.DeepCopy()
	if !controllerutil.AddFinalizer(tenant, v1alpha1.Finalizer) {
		return nil
	}
	return r.client.Patch(ctx, tenant, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
}

// release takes the finalizer off: the tenant goes.
func (r *Reconciler) release(ctx context.Context, tenant *v1alpha1.KoraTenant) error {
	before := tenant.DeepCopy()
	if !controllerutil.RemoveFinalizer(tenant, v1alpha1.Finalizer) {
		return nil
	}
	err := r.client.Patch(ctx, tenant, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}))
	return client.IgnoreNotFound(err)
}

// period spreads tenants over a tenth of the sync period, each always the same.
func (r *Reconciler) period(tenant *v1alpha1.KoraTenant) time.Duration {
	sync := r.settings.Sync()
	h := fnv.New32a()
	_, _ = h.Write([]byte(tenant.UID))
	return sync + sync/10*time.Duration(h.Sum32()%1000)/1000
}
