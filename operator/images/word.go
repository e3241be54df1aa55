package images

import (
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/status"
	"k8s.io/apimachinery/pkg/api/meta"
)

// word is what the registry itself said last of an image as its spec stands: that it is
// one, of whatever kind, that there is none, or that nobody may have it. It holds as long
// as the registry merely cannot be asked, whether it was good or bad: what flaps is not the
// image, and a status that follows it is written without end.
type word struct {
	verdict status.Verdict
	at      time.Time // zero: it has said nothing yet
	asked   bool      // the status is about the registry, and not about what comes before it
}

// after is the word after one more look at the image.
func (w word) after(f finding, now time.Time) word {
	switch {
	case f.definite():
		return word{verdict: f.verdict, at: now, asked: true}
	case f.failure == nil: // what comes before it: a Secret, the spec, the namespace
		return word{}
	}
	w.asked = true
	return w
}

// definite reports whether the verdict is the registry's own word.
func (f finding) definite() bool {
	return f.read || f.failure != nil && !f.failure.Temporary() && !f.failure.Waiting()
}

// stays reports whether the status is left as it is while the registry cannot be asked:
// when nobody tried, since nothing new is known then, and for two periods at first, since
// a registry that answers now and then would have it written each time.
func (w word) stays(f *registry.Failure, now time.Time, period time.Duration) bool {
	since := now.Sub(w.at)
	return w.asked && f.Unasked || !w.at.IsZero() && since >= 0 && since < 2*period
}

// since tells of a word that holds although the registry cannot be asked any more.
func (w word) since(image *v1alpha1.SandboxImage, f *registry.Failure) status.Verdict {
	if isValid(image) {
		return status.Good(pulled+"%s, which was read at %s; since then: %s", image.Status.Digest, checked(image), f.Error())
	}
	return status.Bad(w.verdict.Reason, "%s; since then: %s", w.verdict.Message, f.Error())
}

// standing is the verdict that is on the image's status.
func standing(image *v1alpha1.SandboxImage) status.Verdict {
	c := meta.FindStatusCondition(image.Status.Conditions, v1alpha1.ConditionValid)
	if c == nil {
		return status.Verdict{}
	}
	return status.Verdict{Status: c.Status, Reason: c.Reason, Message: c.Message}
}

// failed is the verdict on a read that failed. A registry that is out for a while takes
// nothing from what it said before: sandboxes go on pulling a valid image's digest, and
// one that must not be a sandbox is none still. Only what was judged in this run, or is
// proven, counts as said.
func (r *Reconciler) failed(image *v1alpha1.SandboxImage, f *registry.Failure) status.Verdict {
	w := r.schedule.word(image)
	switch {
	case !f.Temporary():
	case w.stays(f, r.clock.Now(), r.schedule.period):
		return standing(image)
	case !w.at.IsZero() || isValid(image):
		return w.since(image, f)
	}
	return status.Bad(f.Reason, "%s", f.Error())
}
