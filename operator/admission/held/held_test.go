package held_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	toolscache "k8s.io/client-go/tools/cache"
	clocktest "k8s.io/utils/clock/testing"

	"github.com/runkora/kora/operator/admission/held"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// large is a Connection of about 64 KiB.
func large(namespace, name string) *v1alpha1.Connection {
	c := &v1alpha1.Connection{}
	c.Namespace, c.Name, c.Generation, c.UID = namespace, name, 1, "u"
	for n := range 128 {
		c.Spec.AllowedPaths = append(c.Spec.AllowedPaths, v1alpha1.PathRule(fmt.Sprintf("/%03d%s", n, strings.Repeat("x", 506))))
	}
	return c
}

const fit = rules.Share / (64 << 10) // or one less, with what each takes besides

// takes reports whether there is room.
func takes(t *testing.T, h *held.Held, o, old v1alpha1.Object) bool {
	t.Helper()
	full, err := h.Take(o, old, false)
	if err != nil {
		t.Fatal(err)
	}
	return full == nil
}

// R54: whatever comes at once, and before the cache has seen any of it, is bounded for
// each tenant and kind, and takes nothing of another's.
func TestAFloodIsBoundedBeforeItIsSeen(t *testing.T) {
	h := held.New(clocktest.NewFakePassiveClock(time.Now()))
	var admitted atomic.Int64
	var wait sync.WaitGroup
	for n := range 500 {
		wait.Go(func() {
			if full, err := h.Take(large("evil", fmt.Sprint(n)), nil, false); err == nil && full == nil {
				admitted.Add(1)
			}
		})
	}
	wait.Wait()
	if n := admitted.Load(); n < fit-2 || n > fit {
		t.Errorf("%d of a flood are admitted, want about %d", n, fit)
	}
	full, err := h.Take(large("evil", "more"), nil, false)
	if err != nil || full == nil || full.Taken+full.More <= rules.Share || full.More != rules.Size(large("evil", "more")) {
		t.Errorf("%+v, %v", full, err)
	}
	image := &v1alpha1.SandboxImage{}
	image.Namespace, image.Name = "evil", "x"
	if !takes(t, h, large("good", "x"), nil) || !takes(t, h, image, nil) {
		t.Error("another tenant's, or another kind's, is held up")
	}
}

// R54: what the cache holds counts as long as it is there, and what is gone, shrinks, or
// never comes makes room again.
func TestCountsFollowTheCache(t *testing.T) {
	now := clocktest.NewFakePassiveClock(time.Now())
	h := held.New(now)
	var all []*v1alpha1.Connection
	for n := 0; ; n++ {
		c := large("a", fmt.Sprint(n))
		if !takes(t, h, c, nil) {
			break
		}
		h.OnAdd(c, false)
		all = append(all, c)
	}
	one := large("a", "one")
	now.SetTime(now.Now().Add(time.Hour)) // nothing of it rests on what was admitted
	if takes(t, h, one, nil) {
		t.Error("there is room beyond the bound")
	}
	last := all[len(all)-1]
	small := last.DeepCopy()
	small.Spec.AllowedPaths, small.Generation = nil, 2
	if !takes(t, h, small, last) || !takes(t, h, last, last) {
		t.Error("what shrinks, or stays as it is, is refused")
	}
	h.OnUpdate(last, small)
	if !takes(t, h, one, nil) {
		t.Error("what shrank leaves no room")
	}
	if takes(t, h, last, small) {
		t.Error("what was admitted and not seen yet does not count")
	}
	now.SetTime(now.Now().Add(time.Minute)) // it never came
	if !takes(t, h, last, small) {
		t.Error("what never came holds room for ever")
	}
	h.OnUpdate(small, last)
	h.OnDelete(toolscache.DeletedFinalStateUnknown{Obj: all[0]})
	if !takes(t, h, one, nil) {
		t.Error("what is gone leaves no room")
	}
	h.OnAdd(one, false)
	for _, c := range append(all[1:], one) {
		h.OnDelete(c)
	}
	for n := range len(all) {
		if !takes(t, h, large("a", fmt.Sprint(n)), nil) {
			t.Fatalf("after all are gone there is room for %d", n)
		}
	}
}

// R54: what was admitted and never came is dropped when its time is over, though nobody
// asks for room in its namespace again: refused later by somebody else, or never meant.
func TestWhatNeverComesIsDropped(t *testing.T) {
	now := clocktest.NewFakePassiveClock(time.Now())
	h := held.New(now)
	small := func(namespace, name string) *v1alpha1.Connection {
		c := large(namespace, name)
		c.Spec.AllowedPaths = nil
		return c
	}
	for round := range 20 {
		for n := range 500 {
			for range 2 { // the same again is one
				if !takes(t, h, small(fmt.Sprint("n-", round, "-", n%50), fmt.Sprint(round, "-", n)), nil) {
					t.Fatal("refused")
				}
			}
		}
		if coming, places := h.Entries(); coming > 1000 || places > 100 {
			t.Fatalf("round %d: %d are on their way in %d places", round, coming, places)
		}
		now.SetTime(now.Now().Add(6 * time.Second)) // the half of what counts is of the last round
	}
	now.SetTime(now.Now().Add(-time.Hour)) // a clock that is put back keeps nothing for an hour
	if !takes(t, h, small("last", "x"), nil) {
		t.Fatal("refused")
	}
	if coming, places := h.Entries(); coming != 1 || places != 1 {
		t.Errorf("%d are on their way in %d places", coming, places)
	}
	for range 3 * fit {
		if full, err := h.Take(large("dry", "x"), nil, true); err != nil || full != nil {
			t.Fatal(full, err)
		}
	}
	if coming, places := h.Entries(); coming != 1 || places != 1 {
		t.Errorf("dry runs left %d in %d places", coming, places)
	}
	for n := range 2 * fit {
		_, _ = h.Take(large("full", fmt.Sprint(n)), nil, false)
	}
	h.OnAdd(small("last", "x"), false) // what came counts by its event, and its time ends nothing
	now.SetTime(now.Now().Add(time.Minute))
	if !takes(t, h, small("other", "y"), nil) {
		t.Fatal("refused")
	}
	if coming, places := h.Entries(); coming != 1 || places != 2 {
		t.Errorf("%d are on their way in %d places", coming, places)
	}
	h.OnDelete(small("last", "x"))
	// One that came and is made again within its first time counts for its own.
	again := large("again", "z")
	if !takes(t, h, again, nil) {
		t.Fatal("refused")
	}
	now.SetTime(now.Now().Add(8 * time.Second))
	h.OnAdd(again, false)
	h.OnDelete(again)
	if !takes(t, h, again, nil) {
		t.Fatal("refused")
	}
	now.SetTime(now.Now().Add(4 * time.Second))
	_ = takes(t, h, small("tick", "t"), nil)
	for n := range fit - 2 {
		if !takes(t, h, large("again", fmt.Sprint(n)), nil) {
			t.Fatalf("%d are too many", n)
		}
	}
	if takes(t, h, large("again", "more"), nil) && takes(t, h, large("again", "most"), nil) {
		t.Error("what is on its way a second time counts no more")
	}
}

// R54: a dry run, and the same asked for again, take nothing more; a status does not
// change what is held.
func TestWhatCountsOnce(t *testing.T) {
	h := held.New(clocktest.NewFakePassiveClock(time.Now()))
	for range 3 * fit {
		if full, err := h.Take(large("a", "dry"), nil, true); err != nil || full != nil {
			t.Fatalf("%v, %v", full, err)
		}
		if !takes(t, h, large("a", "again"), nil) {
			t.Fatal("one that is asked for again is counted again")
		}
	}
	h.OnAdd(large("a", "again"), false)
	for range 3 * fit {
		h.OnUpdate(large("a", "again"), large("a", "again"))
	}
	grown, old := large("a", "again"), large("a", "again")
	old.Spec.AllowedPaths = nil
	for n := range fit - 2 {
		if !takes(t, h, grown, old) {
			t.Fatalf("it grew %d times", n)
		}
	}
	if takes(t, h, grown, old) {
		t.Error("what grows again and again before it is seen is counted once")
	}
}

// R54: nothing is admitted by a count that is not there yet.
func TestNothingPassesBeforeAllIsCounted(t *testing.T) {
	informers := &fakeInformers{}
	h := held.New(clocktest.NewFakePassiveClock(time.Now()))
	if err := h.Watch(t.Context(), informers); err != nil {
		t.Fatal(err)
	}
	if full, err := h.Take(large("a", "x"), nil, false); err == nil || full != nil {
		t.Errorf("%v, %v", full, err)
	}
	informers.synced.Store(true)
	if !takes(t, h, large("a", "x"), nil) {
		t.Error("refused")
	}
	informers.broken = errors.New("no such kind")
	if err := h.Watch(t.Context(), informers); err == nil || !strings.Contains(err.Error(), "Connection: no such kind") {
		t.Error(err)
	}
}
