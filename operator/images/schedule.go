package images

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/api/equality"
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
	read       time.Time
	status     v1alpha1.SandboxImageStatus // as it was written
	word       word                        // what its registry said last
}

// lag is how long the cache may show a status as it was before the last write.
const lag = 5 * time.Second

// wait is how long until the image is read again; 0 is now: its spec has changed,
// its time has come, or somebody else has written its status. stale says that the
// cache does not show the last status yet, so that nothing can be decided by it.
// proven says that the operator, whenever it ran, read what the status says.
func (s *schedule) wait(image *v1alpha1.SandboxImage, proven bool) (wait time.Duration, stale bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.next[nameOf(image)]
	switch now := s.clock.Now(); {
	case !known:
		return s.fromStatus(image, proven), false
	case !t.of(image):
		return 0, false
	case t.wrote(image):
		return max(t.at.Sub(now), 0), false
	case now.Sub(t.read) < lag:
		return time.Second, true
	default:
		return 0, false
	}
}

// of reports whether it is of the image as its spec stands.
func (t turn) of(image *v1alpha1.SandboxImage) bool {
	return t.uid == image.UID && t.generation == image.Generation
}

// wrote reports whether the image's status is as it was written.
func (t turn) wrote(image *v1alpha1.SandboxImage) bool {
	return equality.Semantic.DeepEqual(t.status, image.Status)
}

// mine puts the status back that was written for the image as it stands: whatever
// somebody else wrote since is nothing to judge by. Where none is known, what was not
// proven to be read is taken away: a registry that is out keeps none of it.
func (s *schedule) mine(image *v1alpha1.SandboxImage, proven bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, known := s.next[nameOf(image)]; known && t.of(image) {
		t.status.DeepCopyInto(&image.Status)
	} else if !proven && image.Status.Digest != "" {
		image.Status.Digest, image.Status.Platforms, image.Status.CheckedAt = "", nil, nil
	}
}

// judged gives the status that the operator gave an image as it stands, in this run or, as
// proven, in one before it.
func (s *schedule) judged(image *v1alpha1.SandboxImage, proven bool) (v1alpha1.SandboxImageStatus, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.next[nameOf(image)]
	if known && t.of(image) {
		return t.status, true
	}
	return image.Status, !known && proven && isValid(image)
}

// fromStatus spares registries when the operator starts: an image that is valid
// waits for the rest of its period, or some of a fifth of one when that is over, so
// that not all are read at once. Any other is read now, and so is one whose status
// no operator wrote: nobody was there to see who did.
func (s *schedule) fromStatus(image *v1alpha1.SandboxImage, proven bool) time.Duration {
	if !proven || !isValid(image) || image.Status.CheckedAt == nil || !ownWords(image) {
		return 0
	}
	age := s.clock.Now().Sub(image.Status.CheckedAt.Time)
	if age < 0 { // the clock was wrong, then or now
		return 0
	}
	wait := s.period - age
	if wait <= 0 {
		wait = time.Duration(rand.Int64N(int64(s.period)/5 + 1))
	}
	// What stands at the first sight counts as written: whatever comes over it later
	// is somebody else's.
	now := s.clock.Now()
	s.keep(nameOf(image), turn{uid: image.UID, generation: image.Generation, at: now.Add(wait), read: now, status: *image.Status.DeepCopy(),
		word: word{verdict: standing(image), at: now, asked: true}})
	return wait
}

func (s *schedule) keep(name types.NamespacedName, t turn) {
	if s.next == nil {
		s.next = map[types.NamespacedName]turn{}
	}
	s.next[name] = t
}

// read notes the outcome of a look at the image and gives the time until the next one.
func (s *schedule) read(image *v1alpha1.SandboxImage, f finding) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, now := nameOf(image), s.clock.Now()
	t := turn{uid: image.UID, generation: image.Generation, read: now, status: *image.Status.DeepCopy()}
	old := s.next[name]
	if !old.of(image) {
		old = turn{}
	}
	t.word = old.word.after(f, now)
	wait := s.period
	if !f.read {
		if old.uid != "" {
			t.failures = old.failures + 1
		}
		wait = min(firstRetry<<min(t.failures, 16), s.period)
	}
	// Never later than the period, and not all at once.
	wait = max(wait-time.Duration(rand.Int64N(int64(wait)/5+1)), f.pause)
	t.at = now.Add(wait)
	s.keep(name, t)
	return wait
}

// word is what the registry said last of an image as it stands, in this run.
func (s *schedule) word(image *v1alpha1.SandboxImage) word {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.next[nameOf(image)]; t.of(image) {
		return t.word
	}
	return word{}
}

// noted keeps the status of an image as it was written since its last read.
func (s *schedule) noted(image *v1alpha1.SandboxImage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, known := s.next[nameOf(image)]; known && t.of(image) {
		t.status, t.read = *image.Status.DeepCopy(), s.clock.Now()
		s.keep(nameOf(image), t)
	}
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
