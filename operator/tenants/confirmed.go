package tenants

import (
	"context"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// confirmation is how long it counts that somebody has read what a deletion takes:
// what lives in the tenant becomes another, and another person may delete it.
const confirmation = 15 * time.Minute

// seen is when a confirmation was first seen.
type seen struct {
	uid types.UID
	at  time.Time
}

// Confirmed reports whether the tenant carries the annotation that lets its
// namespace be deleted with all in it.
func Confirmed(tenant *v1alpha1.KoraTenant) bool {
	return tenant.Annotations[v1alpha1.AnnotationConfirmDeletion] == tenant.Name
}

// expire takes a confirmation off that nobody has used (R50). An operator that starts
// counts anew.
func (p *pass) expire(ctx context.Context) error {
	first, ok := p.confirmedSince()
	if !ok {
		return nil
	}
	if left := confirmation - p.now.Sub(first); left > 0 {
		p.soon(left)
		return nil
	}
	ctrl.LoggerFrom(ctx).Info("nobody deleted the tenant in time, and its deletion is no longer confirmed", "after", confirmation.String())
	o := p.tenant.DeepCopy()
	delete(o.Annotations, v1alpha1.AnnotationConfirmDeletion)
	return client.IgnoreNotFound(p.client.Patch(ctx, o, client.MergeFrom(p.tenant), client.FieldOwner(v1alpha1.Operator)))
}

// confirmedSince is when the tenant's confirmation was first seen, if it has one.
func (p *pass) confirmedSince() (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !Confirmed(p.tenant) {
		delete(p.confirmed, p.tenant.Name)
		return time.Time{}, false
	}
	first, known := p.confirmed[p.tenant.Name]
	if !known || first.uid != p.tenant.UID {
		first = seen{p.tenant.UID, p.now}
		p.confirmed[p.tenant.Name] = first
	}
	return first.at, true
}

// forget drops what is remembered of a tenant that has gone.
func (r *Reconciler) forget(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.confirmed, name)
}
