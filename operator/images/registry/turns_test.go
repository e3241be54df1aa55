package registry

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	clocktesting "k8s.io/utils/clock/testing"
)

var moment = time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)

// R52: readers are shared out by tenant and by registry; what one tenant's silent
// registries hold is never all of them, however many tenants do so.
func TestReadersAreSharedOut(t *testing.T) {
	many := func(each func(n int) bool) (taken int) {
		for n := range 100 {
			if each(n) {
				taken++
			}
		}
		return taken
	}
	for _, c := range []struct {
		name   string
		silent bool // to the tenants, when they were last asked
		tenant func(n int) string
		host   func(n int) string
		want   int
	}{
		{"one tenant, one registry", false, always, always, readersOf},
		{"one tenant, many registries", false, always, each, readersOf},
		{"many tenants, one registry", false, each, always, readersOfHost},
		{"many tenants and registries", false, each, each, readers},
		{"many tenants of silent registries", true, each, each, readersShared},
	} {
		r := &turns{}
		for n := range 100 {
			if c.silent && r.take(c.tenant(n), c.host(n), moment) {
				r.give(c.tenant(n), c.host(n), true, moment)
			}
		}
		if got := many(func(n int) bool { return r.take(c.tenant(n), c.host(n), moment) }); got != c.want {
			t.Errorf("%s: %d at once, not %d", c.name, got, c.want)
		}
		if another := r.take("another", "another.example.com", moment); another != (c.want < readers) {
			t.Errorf("%s: another tenant's turn at another registry: %v", c.name, another)
		}
	}
}

func always(int) string { return "same" }
func each(n int) string { return fmt.Sprint(n) }

// R52: what is given back may be taken again, and nothing is kept of it; a registry's
// silence is forgotten with its time, by a clock that was put back too.
func TestTurnsAreGivenBack(t *testing.T) {
	r := &turns{}
	for range 3 {
		for n := range readers {
			if !r.take(each(n), each(n), moment) {
				t.Fatal("no turn is left")
			}
		}
		for n := range readers {
			r.give(each(n), each(n), n == 0, moment)
		}
	}
	if r.all != 0 || len(r.hosts)+len(r.tenants) > 0 || len(r.silent) != 1 {
		t.Errorf("%+v", r)
	}
	for _, at := range []time.Time{moment.Add(quietTime), moment.Add(-time.Hour)} {
		r.give("0", "0", true, moment)
		r.all, r.hosts, r.tenants = 0, map[string]int{}, map[string]int{}
		if r.take("1", "1", at); len(r.silent) != 0 {
			t.Errorf("at %s it is remembered still", at)
		}
	}
}

// R52: a registry that did not answer in time is not asked again by each image of the
// tenant; whoever else asks, or with other credentials, is none of its business.
func TestASilentRegistryIsLeftAlone(t *testing.T) {
	var asked atomic.Int32
	f := serve(t, func(_ http.ResponseWriter, r *http.Request) bool {
		asked.Add(1)
		<-r.Context().Done()
		return true
	})
	now := clocktesting.NewFakePassiveClock(moment)
	f.client.Clock, f.client.Limits.Time = now, 3*time.Second // in which the request has arrived
	read := func(r Request) *Failure {
		_, failure := f.client.Read(t.Context(), r)
		if failure == nil || failure.Reason != v1alpha1.ReasonRegistryUnavailable || !strings.Contains(failure.Message, "does not answer in time") {
			t.Fatalf("%+v", failure)
		}
		return failure
	}
	server := strings.TrimPrefix(f.URL, "http://")
	for i, c := range []struct {
		request Request
		asks    bool
		later   time.Duration
	}{
		{Request{Image: host + "/a/a:1", Tenant: "a"}, true, 0},
		{Request{Image: host + "/b/b:1", Tenant: "a"}, false, 0},
		{Request{Image: host + "/kora/base:1", Tenant: "a", Platform: true}, true, 0}, // waits for no tenant's repository
		{Request{Image: host + "/kora/base:1", Tenant: "a", Platform: true}, false, 0},
		{Request{Image: host + "/a/a:1", Tenant: "b"}, true, 0},
		{Request{Image: host + "/a/a:1", Tenant: "a", Keyring: ring(t, server)}, true, 0},
		{Request{Image: host + "/b/b:1", Tenant: "a", Keyring: ring(t, server)}, false, 0},
		{Request{Image: host + "/b/b:1", Tenant: "a"}, true, quietTime},
	} {
		now.SetTime(now.Now().Add(c.later))
		before := asked.Load()
		failure := read(c.request)
		if (asked.Load() > before) != c.asks || (failure.RetryAfter > 0) == c.asks {
			t.Errorf("%d: asked %v, again after %s", i, asked.Load() > before, failure.RetryAfter)
		}
	}
}

// R52: a tenant whose registry drips has no part in the readers that are kept for the
// others, though each read ends well, and though another registry answers it at once.
func TestADrippingRegistryIsSlow(t *testing.T) {
	now := clocktesting.NewFakePassiveClock(moment)
	f := serve(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/drips/manifests/") {
			now.SetTime(now.Now().Add(20 * time.Second))
		}
		return false
	})
	f.client.Clock = now
	for _, repository := range []string{"team/drips", "team/quick"} {
		f.Push(t, repository+":1", sandbox(t, "linux/amd64", "100"))
	}
	for _, repository := range []string{"team/drips", "team/quick"} {
		if _, failure := f.client.Read(t.Context(), Request{Image: host + "/" + repository + ":1", Tenant: "a"}); failure != nil {
			t.Fatal(failure)
		}
	}
	for n := range readersShared {
		f.client.turns.take(each(n), each(n), now.Now())
	}
	if f.client.turns.take("a", "a.example.com", now.Now()) {
		t.Error("the slow tenant has one of the others' readers")
	}
	if !f.client.turns.take("b", "a.example.com", now.Now()) {
		t.Error("another tenant has none")
	}
}

// R52: a read that has no turn asks nothing and says so; nothing else stops it.
func TestAReadWaitsForItsTurn(t *testing.T) {
	var asked atomic.Int32
	f := serve(t, func(http.ResponseWriter, *http.Request) bool { asked.Add(1); return false })
	f.Push(t, "team/image:1", sandbox(t, "linux/amd64", "100"))
	at := strings.TrimPrefix(f.URL, "http://")
	for range readersOf {
		f.client.turns.take("a", at, f.client.now())
	}
	request := Request{Image: host + "/team/image:1", Tenant: "a"}
	_, failure := f.client.Read(t.Context(), request)
	if failure == nil || !failure.Waiting() || failure.Temporary() || asked.Load() != 0 {
		t.Fatalf("%+v, asked %d times", failure, asked.Load())
	}
	f.client.turns.give("a", at, false, f.client.now())
	if _, failure := f.client.Read(t.Context(), request); failure != nil {
		t.Errorf("it was its turn: %v", failure)
	}
	if f.client.turns.all != readersOf-1 {
		t.Errorf("%d turns are taken", f.client.turns.all)
	}
}
