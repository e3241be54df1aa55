package images

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/status"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/tools/events"
	clocktesting "k8s.io/utils/clock/testing"
)

// looks is one image that is looked at again and again.
type looks struct {
	*Reconciler
	image  *v1alpha1.SandboxImage
	now    *clocktesting.FakePassiveClock
	events *events.FakeRecorder
}

func newLooks() *looks {
	now, told := clocktesting.NewFakePassiveClock(moment), events.NewFakeRecorder(100)
	r := &Reconciler{clock: now, events: told, schedule: schedule{period: time.Minute, clock: now}}
	return &looks{r, image(1), now, told}
}

// find looks once, so much later, as the reconciler does; it reports whether the status
// is another one than before.
func (l *looks) find(ctx context.Context, later time.Duration, f finding) (changed bool) {
	l.now.SetTime(l.now.Now().Add(later))
	before := l.image.Status.DeepCopy()
	l.schedule.mine(l.image, false)
	if f.failure != nil {
		f.verdict = l.failed(l.image, f.failure)
	}
	l.note(ctx, l.image, f)
	l.schedule.read(l.image, f)
	return !equality.Semantic.DeepEqual(*before, l.image.Status)
}

func (l *looks) says() (reason, message string) {
	c := meta.FindStatusCondition(l.image.Status.Conditions, v1alpha1.ConditionValid)
	return c.Reason, c.Message
}

func fails(reason string) finding {
	return finding{failure: &registry.Failure{Reason: reason, Message: "it " + reason, Fix: "mend it"}}
}

func unasked() finding {
	f := fails(v1alpha1.ReasonRegistryUnavailable)
	f.failure.Message, f.failure.Unasked = "it is left alone", true
	return f
}

func reads(v status.Verdict) finding {
	return finding{read: true, verdict: v, image: registry.Image{Digest: "sha256:a", Platforms: []string{"linux/amd64"}}}
}

// words are all that a registry may say of an image itself.
func words() []finding {
	all := []finding{reads(good("sha256:a", nil, nil)), reads(good("sha256:a", []string{"linux/arm64"}, nil))}
	for _, reason := range []string{v1alpha1.ReasonWrongUser, v1alpha1.ReasonNotSandboxBase, v1alpha1.ReasonPlatformMissing} {
		all = append(all, reads(status.Bad(reason, "it is %s", reason)))
	}
	for _, reason := range []string{v1alpha1.ReasonImageNotFound, v1alpha1.ReasonUnauthorized, v1alpha1.ReasonRegistryNotAllowed, v1alpha1.ReasonInvalid} {
		all = append(all, fails(reason))
	}
	return all
}

// R52: what a registry said of an image, good or bad, holds while the registry cannot be
// asked, and its status is not written: not by one that was not asked, however long, nor
// by one that answers now and then. One that is out for long is told of, once.
func TestAWordHoldsWhileTheRegistryCannotBeAsked(t *testing.T) {
	out, ctx := fails(v1alpha1.ReasonRegistryUnavailable), t.Context()
	for _, word := range words() {
		l := newLooks()
		l.find(ctx, 0, word)
		reason, said := l.says()
		told := len(l.events.Events)
		for i := range 100 {
			if l.find(ctx, time.Minute, unasked()) || l.find(ctx, time.Hour, word) || l.find(ctx, time.Minute, out) || l.find(ctx, 30*time.Second, out) || l.find(ctx, time.Second, word) {
				now, message := l.says()
				t.Fatalf("%s: look %d changed it to %s: %s", reason, i, now, message)
			}
		}
		if !l.find(ctx, 2*time.Minute, out) {
			t.Errorf("%s: a registry that is out for two periods is not told of", reason)
		}
		if now, message := l.says(); now != reason || !strings.Contains(message, "; since then: it RegistryUnavailable: mend it") || (l.image.Status.Digest != "") != (reason == v1alpha1.ReasonSucceeded) {
			t.Errorf("%s: it became %s: %s", reason, now, message)
		}
		if l.find(ctx, time.Hour, out) || l.find(ctx, time.Hour, unasked()) {
			t.Errorf("%s: it is told of twice", reason)
		}
		l.find(ctx, time.Second, word)
		if now, message := l.says(); now != reason || message != said || len(l.events.Events) != told {
			t.Errorf("%s, and %d events: it became %s: %s, with %d", reason, told, now, message, len(l.events.Events))
		}
		for _, other := range words() {
			l.find(ctx, time.Second, other)
			if now, _ := l.says(); now != other.verdict.Reason && (other.failure == nil || now != other.failure.Reason) {
				t.Errorf("%s: another word leaves it at %s", reason, now)
			}
		}
	}
}

// R52: only the registry's own word of the image as it stands holds, and only one that was
// heard in this run: never what somebody else wrote, nor what came before the registry.
func TestOnlyTheRegistrysOwnWordHolds(t *testing.T) {
	ctx := t.Context()
	for name, before := range map[string]func(*looks){
		"nothing was said":          func(*looks) {},
		"a Secret was not there":    func(l *looks) { l.find(ctx, 0, finding{verdict: status.Bad(v1alpha1.ReasonReferenceNotFound, "x")}) },
		"its turn had not come":     func(l *looks) { status.Set(l.image, v1alpha1.ConditionValid, status.Wait("x"), moment) },
		"the registry was out":      func(l *looks) { l.find(ctx, 0, fails(v1alpha1.ReasonRegistryUnavailable)) },
		"said of another reference": func(l *looks) { l.find(ctx, 0, words()[2]); l.image.Generation++ },
		"said of another object":    func(l *looks) { l.find(ctx, 0, words()[0]); l.image.UID = "another" },
		"said before the Secret was": func(l *looks) {
			l.find(ctx, 0, words()[2])
			l.find(ctx, 0, finding{verdict: status.Bad(v1alpha1.ReasonSecretKeyMissing, "x")})
		},
		"a forged good one":       func(l *looks) { l.note(ctx, l.image, words()[0]) },
		"a forged bad one":        func(l *looks) { l.note(ctx, l.image, words()[2]) },
		"said before it was left": func(l *looks) { l.find(ctx, 0, words()[2]); l.schedule.forget(nameOf(l.image)) },
	} {
		for how, f := range map[string]finding{"asked": fails(v1alpha1.ReasonRegistryUnavailable), "left alone": unasked()} {
			l := newLooks()
			before(l)
			l.find(ctx, time.Second, f)
			if reason, message := l.says(); reason != v1alpha1.ReasonRegistryUnavailable || l.image.Status.Digest != "" {
				t.Errorf("%s, and the registry is %s: %s: %s", name, how, reason, message)
			}
		}
	}
	l := newLooks() // whatever is written over it, the word is what was heard
	l.find(ctx, 0, words()[2])
	want := l.image.Status.DeepCopy()
	l.image.Status = v1alpha1.SandboxImageStatus{}
	l.note(ctx, l.image, words()[0])
	if l.find(ctx, time.Second, unasked()); !slices.Equal(l.image.Status.Conditions, want.Conditions) || l.image.Status.Digest != "" {
		t.Errorf("a forged status is left: %+v", l.image.Status)
	}
}
