package gate

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// still fails the test when a gate holds anything.
func still(t *testing.T, g *Gate) {
	t.Helper()
	if g.bytes != 0 || len(g.lines) != 0 || len(g.slots) != 0 {
		t.Errorf("it holds %d bytes, %d lines, %d slots", g.bytes, len(g.lines), len(g.slots))
	}
}

// R54: whatever one namespace asks for, another is judged at once, and what waits gets
// its turn when something is done.
func TestOneNamespaceLeavesRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{All: 3, Each: 2, AllBytes: 1 << 30, EachBytes: 1 << 30})
		var inside, done atomic.Int32
		end := make(chan struct{})
		for range 100 {
			go func() {
				leave, err := g.Enter(t.Context(), "evil", 1)
				if err != nil {
					t.Error(err)
					return
				}
				inside.Add(1)
				<-end
				leave()
				done.Add(1)
			}()
		}
		synctest.Wait()
		if n := inside.Load(); n != 2 {
			t.Errorf("%d of one namespace are judged at once, want 2", n)
		}
		leave, err := g.Enter(t.Context(), "good", 1) // or the bubble stands still, and the test fails
		if err != nil {
			t.Fatal(err)
		}
		leave()
		close(end)
		synctest.Wait()
		if n := done.Load(); n != 100 {
			t.Errorf("%d of 100 got their turn", n)
		}
		still(t, g)
	})
}

// R54: what is held is bounded in bytes, of one namespace and over all; who finds no
// place is told so at once, and one that is alone always finds one.
func TestWhatWaitsIsBounded(t *testing.T) {
	const part = 1<<20 - overhead
	g := New(Limits{All: 100, Each: 100, AllBytes: 5 << 20, EachBytes: 2 << 20})
	var leaves []func()
	enter := func(namespace string, bytes int) error {
		leave, err := g.Enter(t.Context(), namespace, bytes)
		if err == nil {
			leaves = append(leaves, leave)
		}
		return err
	}
	for n, want := range []struct {
		namespace string
		bytes     int
		err       error
	}{
		{"a", part, nil}, {"a", part, nil}, {"a", 0, Full{"a"}},
		{"b", 3<<20 - overhead, nil}, {"b", 0, Full{"b"}},
		{"c", 0, Full{""}},
	} {
		if err := enter(want.namespace, want.bytes); !errors.Is(err, want.err) {
			t.Errorf("%d: %v, want %v", n, err, want.err)
		}
	}
	for _, leave := range leaves {
		leave()
	}
	still(t, g)
	if err := enter("c", 100<<20); err != nil {
		t.Errorf("alone: %v", err)
	}
}

// R54: whoever waits no longer than its context is told whom it waited for, and leaves
// nothing behind; what has ended before is not judged though there is room.
func TestWaitingEndsWithTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{All: 3, Each: 2, AllBytes: 1 << 30, EachBytes: 1 << 30})
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := g.Enter(ended, "a", 1); !errors.Is(err, Late{"a"}) {
			t.Errorf("ended before: %v", err)
		}
		still(t, g)
		var leaves []func()
		for _, namespace := range []string{"a", "a", "b"} {
			leave, err := g.Enter(t.Context(), namespace, 1)
			if err != nil {
				t.Fatal(err)
			}
			leaves = append(leaves, leave)
		}
		for namespace, want := range map[string]error{"a": Late{"a"}, "b": Late{""}, "c": Late{""}} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := g.Enter(ctx, namespace, 1); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", namespace, err, want)
			}
			cancel()
		}
		for _, leave := range leaves {
			leave()
		}
		still(t, g)
	})
}

// R54: under any order of comings and goings no bound is passed, and nothing stays.
func TestManyAtOncePassNoBound(t *testing.T) {
	g := New(Limits{All: 5, Each: 2, AllBytes: 40 * overhead, EachBytes: 12 * overhead})
	var all atomic.Int32
	each := map[string]*atomic.Int32{"a": {}, "b": {}, "c": {}, "d": {}}
	var wait sync.WaitGroup
	for namespace, mine := range each {
		for seed := range int64(50) {
			wait.Go(func() {
				random := rand.New(rand.NewSource(seed))
				for range 40 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.Intn(300))*time.Microsecond)
					leave, err := g.Enter(ctx, namespace, random.Intn(overhead))
					cancel()
					if err != nil {
						continue
					}
					if a, m := all.Add(1), mine.Add(1); a > 5 || m > 2 {
						t.Errorf("%d are judged at once, %d of %s", a, m, namespace)
					}
					mine.Add(-1)
					all.Add(-1)
					leave()
				}
			})
		}
	}
	wait.Wait()
	still(t, g)
}

// R54: a refusal says what, why, whose and what to do, and a client that heeds it asks
// again by itself.
func TestRefusalsSayWhatToDo(t *testing.T) {
	for err, says := range map[error]string{
		Full{"kora-tenant-a"}: "the namespace kora-tenant-a asks for more at once than kora keeps waiting; try again in some seconds, and make fewer",
		Full{}:                "all namespaces together ask for more at once",
		Late{"kora-tenant-a"}: "the namespace kora-tenant-a asks for more at once than kora judges in the time that a request has; try again",
		Late{}:                "all namespaces together ask for more at once than kora judges",
	} {
		r := Refused(fmt.Errorf("%w", err))
		if r.Allowed || r.Result.Code != http.StatusTooManyRequests || r.Result.Details.RetryAfterSeconds != again || !strings.Contains(r.Result.Message, "lets nothing pass unchecked: "+says) {
			t.Errorf("%v: %+v", err, r.Result)
		}
	}
}
