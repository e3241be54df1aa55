package images

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/settings"
	"github.com/runkora/kora/operator/tenants"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Bundled keeps kora-base and the bundled images in every tenant's namespace
// (R53). It is a part of the manager, and the check of tenants' images.
type Bundled struct {
	catalogue catalogue
	client    client.Client
	live      client.Reader // past the caches
	events    events.EventRecorder
	told      sync.Map // UIDs of tenants' own images under bundled names, once told of
}

// NewBundled makes the keeper of the images that the settings name.
func NewBundled(s settings.Settings) *Bundled {
	return &Bundled{catalogue: catalogueOf(s.SandboxImages)}
}

// SetupWithManager adds the controller, which goes by tenants.
func (b *Bundled) SetupWithManager(mgr ctrl.Manager) error {
	b.client, b.live, b.events = mgr.GetClient(), mgr.GetAPIReader(), mgr.GetEventRecorder(v1alpha1.Operator)
	return ctrl.NewControllerManagedBy(mgr).Named("bundledimages").
		For(&v1alpha1.KoraTenant{}).
		Watches(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request { return tenantOf(o.GetName()) })).
		Watches(&v1alpha1.SandboxImage{}, b.ofImage()).
		WithOptions(upkeep.Options(workers / 2)).
		Complete(b)
}

// ofImage maps an image under one of the catalogue's names to its tenant.
func (b *Bundled) ofImage() handler.EventHandler {
	return handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		if !b.catalogue.has(o.GetName()) {
			return nil
		}
		return tenantOf(o.GetNamespace())
	})
}

func tenantOf(namespace string) []reconcile.Request {
	tenant, ok := strings.CutPrefix(namespace, v1alpha1.TenantNamespacePrefix)
	if !ok {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Name: tenant}}}
}

// Reconcile makes one tenant's images as they should be. It waits for the
// namespace, and leaves one that goes.
func (b *Bundled) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	tenant := &v1alpha1.KoraTenant{}
	if err := b.client.Get(ctx, request.NamespacedName, tenant); err != nil || tenants.Leaving(tenant) {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	home := &corev1.Namespace{}
	if err := b.client.Get(ctx, client.ObjectKey{Name: v1alpha1.TenantNamespace(tenant.Name)}, home); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !rules.HomeOf(home, tenant) || !home.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	var failed []error
	for _, name := range b.catalogue.names() {
		failed = append(failed, b.keep(ctx, tenant.Name, name))
	}
	for _, name := range b.catalogue.off {
		failed = append(failed, b.remove(ctx, home.Name, name))
	}
	return ctrl.Result{}, errors.Join(failed...)
}

// keep makes or restores one image, also one that somebody's finalizer holds in its
// deletion: it is in force. A tenant's own under the name of a bundled one is left alone;
// kora-base is the platform's in every namespace.
func (b *Bundled) keep(ctx context.Context, tenant, name string) error {
	image := &v1alpha1.SandboxImage{}
	image.Namespace, image.Name = v1alpha1.TenantNamespace(tenant), name
	err := b.client.Get(ctx, client.ObjectKeyFromObject(image), image)
	switch {
	case apierrors.IsNotFound(err):
		image.Labels, image.Spec = bundledLabels(tenant, name), b.catalogue.wanted[name]
		if err := b.client.Create(ctx, image); err != nil && !apierrors.IsAlreadyExists(err) { // then the cache soon has it
			return fmt.Errorf("make SandboxImage %s: %w", name, err)
		}
		return nil
	case err != nil:
		return err
	case !made(image) && name != Base:
		b.conflict(ctx, image)
		return nil
	}
	return b.restore(ctx, image, tenant)
}

// restore writes what differs, and nothing when nothing does.
func (b *Bundled) restore(ctx context.Context, image *v1alpha1.SandboxImage, tenant string) error {
	want := b.catalogue.wanted[image.Name]
	if made(image) && image.Spec == want && image.Labels[v1alpha1.LabelTenant] == tenant {
		return nil
	}
	if !made(image) {
		b.events.Eventf(image, nil, corev1.EventTypeWarning, v1alpha1.ReasonConflict, "Restore", "metadata.name: %s is the platform's in every tenant's namespace, and points at its image again: register another image under another name", image.Name)
	}
	before := image.DeepCopy()
	if image.Labels == nil {
		image.Labels = map[string]string{}
	}
	maps.Copy(image.Labels, bundledLabels(tenant, image.Name))
	image.Spec = want
	log.FromContext(ctx).Info("a bundled image is restored", "namespace", image.Namespace, "image", image.Name)
	if err := b.client.Patch(ctx, image, client.MergeFrom(before)); err != nil {
		return fmt.Errorf("restore SandboxImage %s: %w", image.Name, client.IgnoreNotFound(err))
	}
	return nil
}

// conflict tells once of a tenant's own image under a bundled name.
func (b *Bundled) conflict(ctx context.Context, image *v1alpha1.SandboxImage) {
	if _, known := b.told.LoadOrStore(image.UID, true); known {
		return
	}
	log.FromContext(ctx).Info("a tenant's own image has the name of a bundled one, which is not registered there", "namespace", image.Namespace, "image", image.Name)
	b.events.Eventf(image, nil, corev1.EventTypeWarning, v1alpha1.ReasonConflict, "Register", "metadata.name: %s is the name of a bundled image, which is not registered in this namespace while this one is here: give this one another name to have both", image.Name)
}

// remove deletes a bundled image that is turned off, if the operator made it.
func (b *Bundled) remove(ctx context.Context, namespace, name string) error {
	image := &v1alpha1.SandboxImage{}
	err := b.client.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, image)
	if err != nil || !made(image) || !image.DeletionTimestamp.IsZero() {
		return client.IgnoreNotFound(err)
	}
	return client.IgnoreNotFound(b.client.Delete(ctx, image, client.Preconditions{UID: &image.UID}))
}
