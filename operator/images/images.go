package images

import (
	"context"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/settings"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants"
	"github.com/runkora/kora/operator/upkeep"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Reconciler keeps SandboxImages. It is a part of the manager.
type Reconciler struct {
	settings settings.Settings
	clock    clock.PassiveClock
	registry *registry.Client
	platform map[string]bool // the references of kora-base and the bundled images
	schedule schedule
	nodes    nodes
	line     line
	warmth   warmth
	marks    marks
	client   client.Client // with the manager's caches; Secrets are read each time
	live     client.Reader // past the caches
	events   events.EventRecorder
}

// ofTenant wakes what is in a tenant's namespace when that becomes its own, as one that
// another of its name left behind, and when the tenant leaves it.
func (r *Reconciler) ofTenant() handler.EventHandler {
	const home = v1alpha1.AnnotationNamespaceUID
	return handler.Funcs{
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) {
			before, now := e.ObjectOld.(*v1alpha1.KoraTenant), e.ObjectNew.(*v1alpha1.KoraTenant)
			if before.Annotations[home] != now.Annotations[home] || tenants.Leaving(before) != tenants.Leaving(now) {
				r.wake(ctx, now.Name, q)
			}
		},
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) { r.wake(ctx, e.Object.GetName(), q) },
	}
}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// wake has all images of a tenant's namespace looked at.
func (r *Reconciler) wake(ctx context.Context, tenant string, q queue) {
	list := &v1alpha1.SandboxImageList{}
	if err := r.client.List(ctx, list, client.InNamespace(v1alpha1.TenantNamespace(tenant)), client.UnsafeDisableDeepCopy); err != nil {
		log.FromContext(ctx).Error(err, "the images of a tenant are looked at later", "tenant", tenant)
		return
	}
	for i := range list.Items {
		q.Add(reconcile.Request{NamespacedName: nameOf(&list.Items[i])})
	}
}

// workers is how many images are looked at once: more than the registry client reads at
// once, so that slow registries hold up no image that is judged without them.
const workers = 16

// New makes the reconciler of SandboxImages.
func New(s settings.Settings, now clock.PassiveClock) *Reconciler {
	return &Reconciler{
		settings: s, clock: now, platform: catalogueOf(s.SandboxImages).references(),
		registry: &registry.Client{
			Mirrors: s.SandboxImages.RegistryMirrors, Ports: s.SandboxImages.RegistryPorts,
			Keep: min(s.Sync()/4, time.Minute), Clock: now,
		},
		schedule: schedule{period: s.Sync(), clock: now},
	}
}

// SetupWithManager adds the controllers of images and of their DaemonSets.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.client, r.live = mgr.GetClient(), mgr.GetAPIReader()
	r.events = mgr.GetEventRecorder(v1alpha1.Operator)
	if err := r.setupWarm(mgr); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named("sandboximages").
		For(&v1alpha1.SandboxImage{}, builder.WithPredicates(status.Changed())).
		Watches(&v1alpha1.KoraTenant{}, r.ofTenant()).
		WatchesRawSource(source.TypedFunc[reconcile.Request](r.line.start)).
		WithOptions(upkeep.Options(workers)).
		Complete(r)
}
