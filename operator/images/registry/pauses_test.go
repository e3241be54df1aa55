package registry

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

// limited is a registry that answers 429 wherever a test says, and counts by path.
type limited struct {
	*fixture
	clock *clocktesting.FakePassiveClock
	mu    sync.Mutex
	asked map[string]int
}

func limit429(t *testing.T, wants func(r *http.Request) bool) *limited {
	t.Helper()
	l := &limited{clock: clocktesting.NewFakePassiveClock(moment), asked: map[string]int{}}
	l.fixture = serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		l.mu.Lock()
		l.asked[r.URL.Path]++
		l.mu.Unlock()
		if wants(r) {
			w.Header().Set("Retry-After", "99999999999999999999")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}
		return false
	})
	l.client.Clock = l.clock
	return l
}

// of counts the requests for a repository's manifests, "" all requests.
func (l *limited) of(repository string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for path, times := range l.asked {
		if repository == "" || strings.HasPrefix(path, "/v2/"+repository+"/") {
			n += times
		}
	}
	return n
}

func (l *limited) read(t *testing.T, tenant, repository string, platform bool) *Failure {
	t.Helper()
	_, failure := l.client.Read(t.Context(), Request{Image: host + "/" + repository + ":1", Tenant: tenant, Platform: platform})
	return failure
}

// R52: a repository that wants a pause has one, of five minutes at most, and no other
// repository of the host waits for it: not of its tenant, not of another.
func TestAPauseIsOfARepository(t *testing.T) {
	l := limit429(t, func(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/v2/alpha/") })
	for _, at := range []string{"team/own:1", "beta/image:1", "kora/base:1"} {
		l.Push(t, at, sandbox(t, "linux/amd64", "100"))
	}
	for n := range 20 { // one tenant's, as many as it likes
		repository := fmt.Sprintf("alpha/x%d", n)
		if f := l.read(t, "alpha", repository, false); f == nil || f.RetryAfter != longestPause || !strings.Contains(f.Message, "answers 429") {
			t.Fatalf("%+v", f)
		}
		f := l.read(t, "alpha", repository, false)
		if f == nil || f.RetryAfter <= 0 || l.of(repository) != 1 || !strings.Contains(f.Message, "is not asked now: it has asked for a pause for this image's repository alone") {
			t.Errorf("%+v, asked %d times", f, l.of(repository))
		}
	}
	for tenant, repository := range map[string]string{"alpha": "team/own", "beta": "beta/image", "delta": "kora/base"} {
		if f := l.read(t, tenant, repository, false); f != nil {
			t.Errorf("%s waits for another repository: %v", repository, f)
		}
	}
	l.clock.SetTime(moment.Add(longestPause))
	if l.read(t, "alpha", "alpha/x0", false); l.of("alpha/x0") != 2 {
		t.Error("it is not asked after the pause")
	}
}

// R52: where repositories of several tenants want a pause, the registry is believed to
// want one; whoever waits is told so, and of no other's repository. The platform's
// images are asked for still, and one answer shows that the registry wants none.
func TestAPauseOfTheRegistryIsSeen(t *testing.T) {
	var open sync.Map
	l := limit429(t, func(r *http.Request) bool {
		_, is := open.Load(strings.Split(r.URL.Path, "/")[min(2, strings.Count(r.URL.Path, "/"))])
		return manifests(r) && !is
	})
	for _, at := range []string{"gamma/image:1", "kora/base:1"} {
		l.Push(t, at, sandbox(t, "linux/amd64", "100"))
	}
	l.read(t, "alpha", "alpha/secret-a", false)
	l.read(t, "beta", "beta/secret-b", false)
	if f := l.read(t, "gamma", "gamma/image", false); f == nil || l.of("gamma/image") != 1 {
		t.Fatalf("two repositories are no registry: %+v", f)
	}
	f := l.read(t, "delta", "delta/image", false)
	if f == nil || l.of("delta/image") != 0 || f.RetryAfter != longestPause || !strings.Contains(f.Message, "for all its repositories") || strings.Contains(f.Error(), "secret") {
		t.Errorf("%+v, asked %d times", f, l.of("delta/image"))
	}
	if f := l.read(t, "delta", "kora/base", true); f == nil || l.of("kora/base") != 1 {
		t.Errorf("the platform's image is not asked for: %+v", f)
	}
	open.Store("kora", true)
	l.clock.SetTime(moment.Add(longestPause))
	for _, tenant := range []string{"alpha", "beta", "gamma"} {
		l.read(t, tenant, tenant+"/again", false)
	}
	if f := l.read(t, "delta", "kora/base", true); f != nil {
		t.Errorf("%+v", f)
	}
	if l.read(t, "delta", "delta/image", false); l.of("delta/image") != 1 {
		t.Error("the registry answers, and is not asked")
	}
}

// R52: a pause that the registry's door wants, which is /v2/ or the token's endpoint,
// is everybody's with the same credentials, and nobody else's.
func TestAPauseOfTheDoor(t *testing.T) {
	for _, door := range []string{"/v2/", "/token"} {
		var url string
		l := limit429(t, func(r *http.Request) bool { return r.URL.Path == door && r.Header.Get("Authorization") == "" })
		inner := l.Server.Server.Config.Handler
		url = l.URL
		l.Server.Server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if door == "/token" && r.URL.Path == "/v2/" && r.Header.Get("X-Setup") == "" {
				w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm="%s/token",service="x"`, url))
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			inner.ServeHTTP(w, r)
		})
		if f := l.read(t, "alpha", "alpha/x", false); f == nil || f.RetryAfter != longestPause {
			t.Fatalf("%s: %+v", door, f)
		}
		before := l.of("")
		for _, platform := range []bool{false, true} {
			f := l.read(t, "beta", "beta/x", platform)
			if f == nil || f.RetryAfter <= 0 || l.of("") != before || !strings.Contains(f.Message, "for all its repositories") {
				t.Errorf("%s: %+v", door, f)
			}
		}
		_, f := l.client.Read(t.Context(), Request{Image: host + "/beta/x:1", Tenant: "beta", Keyring: ring(t, strings.TrimPrefix(l.URL, "http://"))})
		if l.of("") == before {
			t.Errorf("%s: who has credentials of his own waits for others: %+v", door, f)
		}
	}
}

// R52: pauses are remembered within bounds, and what has ended is forgotten.
func TestPausesAreBounded(t *testing.T) {
	p := &pauses{}
	for n := range 3 * pausesKept {
		at := question{byte(n), byte(n >> 8 & 1)}
		p.ask(at, each(n), limit{until: moment.Add(time.Minute), tenant: each(n)}, moment)
	}
	if p.kept+len(p.of) > pausesKept {
		t.Errorf("%d repositories of %d parties are kept", p.kept, len(p.of))
	}
	p.ask(question{}, "another", limit{until: moment.Add(time.Hour)}, moment.Add(time.Minute))
	if wait, by := p.wait(question{}, "another", false, moment.Add(time.Minute)); p.kept != 1 || by != ofRepository || wait <= 0 {
		t.Errorf("%d are kept, %s %d", p.kept, wait, by)
	}
}
