package tenants

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// confirmation is how long it counts that somebody has read what a deletion takes:
// another person may delete the tenant.
const confirmation = 15 * time.Minute

// seen is when a confirmation was first seen.
type seen struct {
	uid  types.UID
	word string
	at   time.Time
}

// Confirmation is what the annotation runkora.io/confirm-deletion says when somebody
// has read this plan and no other (R50): "live.1f0c…", the tenant and a digest of what
// would go, each with its UID, and of what becomes of it. One object more, one made
// anew or another deletionPolicy, and it is another.
func (p Plan) Confirmation(tenant *v1alpha1.KoraTenant) string {
	read := append([]string{string(tenant.UID), string(tenant.Spec.DeletionPolicy)}, p.bound...)
	digest := sha256.Sum256([]byte(strings.Join(read, "\n"))) // no name, UID or policy has a line break
	return tenant.Name + "." + hex.EncodeToString(digest[:8])
}

// Confirmed reports whether the tenant carries the annotation that lets it be deleted
// with all that the plan tells.
func (p Plan) Confirmed(tenant *v1alpha1.KoraTenant) bool {
	return word(tenant) == p.Confirmation(tenant)
}

// outdated is the sentence on a confirmation that is of another plan.
func (p Plan) outdated(tenant *v1alpha1.KoraTenant) string {
	if word(tenant) == "" || p.Confirmed(tenant) {
		return ""
	}
	return "The confirmation that it carries is of something else: what would go has changed since, or it was written by hand. "
}

// word is what the tenant's annotation says, of whatever plan.
func word(tenant *v1alpha1.KoraTenant) string {
	return tenant.Annotations[v1alpha1.AnnotationConfirmDeletion]
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
	now := word(p.tenant)
	if now == "" {
		delete(p.confirmed, p.tenant.Name)
		return time.Time{}, false
	}
	first, known := p.confirmed[p.tenant.Name]
	if !known || first.uid != p.tenant.UID || first.word != now || p.now.Before(first.at) { // by a clock that went back it would not end
		first = seen{p.tenant.UID, now, p.now}
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
