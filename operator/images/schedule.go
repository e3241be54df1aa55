package images

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
)

// firstRetry is how soon a read that failed is tried again; twice as long each
// time, up to the sync period.
const firstRetry = 5 * time.Second

// schedule remembers when each image is read next, so that what wakes the
// reconciler in between asks no registry.
type schedule struct {
	period time.Duration
	clock  clock.PassiveClock

	mu   sync.Mutex
	next map[types.NamespacedName]turn
}

type turn struct {
	uid        types.UID
	generation int64
	at         time.Time
	failures   int
}

// wait is how long until the image is read again; 0 is now: its spec has changed,
// or its time has come.
func (s *schedule) wait(image *v1alpha1.SandboxImage) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.next[nameOf(image)]
	if !known {
		return s.fromStatus(image)
	}
	if t.uid != image.UID || t.generation != image.Generation {
		return 0
	}
	return max(t.at.Sub(s.clock.Now()), 0)
}

// fromStatus spares registries when the operator starts: an image that is valid
// waits for the rest of its period, any other is read at once.
func (s *schedule) fromStatus(image *v1alpha1.SandboxImage) time.Duration {
	if !isValid(image) || image.Status.CheckedAt == nil {
		return 0
	}
	age := s.clock.Now().Sub(image.Status.CheckedAt.Time)
	if age < 0 { // the clock was wrong, then or now
		return 0
	}
	return max(s.period-age, 0)
}

// read notes the outcome of a read and gives the time until the next one. pause
// is what the registry asked for.
func (s *schedule) read(image *v1alpha1.SandboxImage, good bool, pause time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = map[types.NamespacedName]turn{}
	}
	name := nameOf(image)
	t := turn{uid: image.UID, generation: image.Generation}
	wait := s.period
	if !good {
		if old := s.next[name]; old.uid == t.uid && old.generation == t.generation {
			t.failures = old.failures + 1
		}
		wait = min(firstRetry<<min(t.failures, 16), s.period)
	}
	// Never later than the period, and not all at once.
	wait = max(wait-time.Duration(rand.Int64N(int64(wait)/5+1)), pause)
	t.at = s.clock.Now().Add(wait)
	s.next[name] = t
	return wait
}

func (s *schedule) forget(name types.NamespacedName) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.next, name)
}

func nameOf(image *v1alpha1.SandboxImage) types.NamespacedName {
	return types.NamespacedName{Namespace: image.Namespace, Name: image.Name}
}

// isValid reports whether the image was valid as its spec now stands.
func isValid(image *v1alpha1.SandboxImage) bool {
	c := meta.FindStatusCondition(image.Status.Conditions, v1alpha1.ConditionValid)
	return c != nil && c.Status == metav1.ConditionTrue && c.ObservedGeneration == image.Generation && image.Status.Digest != ""
}
