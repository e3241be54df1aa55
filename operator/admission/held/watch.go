package held

import (
	"context"
	"fmt"

	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// Watch counts what the manager's caches hold of the kinds that a tenant's people make.
// It is called before the caches start.
func (h *Held) Watch(ctx context.Context, informers cache.Informers) error {
	for _, kind := range rules.OfTenants() {
		informer, err := informers.GetInformer(ctx, kind)
		if err != nil {
			return fmt.Errorf("count what is there of %s: %w", rules.KindOf(kind), err)
		}
		registered, err := informer.AddEventHandler(h)
		if err != nil {
			return fmt.Errorf("count what is there of %s: %w", rules.KindOf(kind), err)
		}
		h.filled = append(h.filled, registered.HasSynced)
	}
	return nil
}

var _ toolscache.ResourceEventHandler = (*Held)(nil)

// OnAdd counts what is there now.
func (h *Held) OnAdd(in any, _ bool) {
	if o, is := in.(v1alpha1.Object); is {
		h.seen(o, rules.Size(o))
	}
}

// OnUpdate counts by how much something has grown. Most events are of a status.
func (h *Held) OnUpdate(before, now any) {
	old, was := before.(v1alpha1.Object)
	o, is := now.(v1alpha1.Object)
	if was && is && (old.GetGeneration() != o.GetGeneration() || old.GetUID() != o.GetUID()) {
		h.seen(o, rules.Size(o)-rules.Size(old))
	}
}

// OnDelete takes off what is gone, as it was last known.
func (h *Held) OnDelete(in any) {
	if unknown, is := in.(toolscache.DeletedFinalStateUnknown); is {
		in = unknown.Obj
	}
	if o, is := in.(v1alpha1.Object); is {
		h.seen(o, -rules.Size(o))
	}
}
