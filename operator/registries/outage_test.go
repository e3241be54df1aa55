package registries_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
)

// outage fails a number of requests to a path, as an API server does whose etcd is late, or
// one that is away.
type outage struct {
	next http.RoundTripper
	path string
	away bool
	left *atomic.Int64 // requests that fail still; below 0: answered ones are counted
}

func (o outage) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.Contains(r.URL.Path, o.path) || o.left.Add(-1) < 0 {
		return o.next.RoundTrip(r)
	}
	if o.away {
		return nil, errors.New("connect: connection refused")
	}
	return late(r), nil
}

// late is what an API server answers whose etcd does not.
func late(r *http.Request) *http.Response {
	return &http.Response{StatusCode: 500, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(strings.NewReader(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","message":"etcdserver: request timed out","code":500}`))}
}

// atLeast gives nil when so many were counted.
func atLeast(n *atomic.Int64, want int64) error {
	if got := n.Load(); got < want {
		return fmt.Errorf("%d were asked, want %d", got, want)
	}
	return nil
}

// over waits until so many have failed, and a whole pass has come after the first that was
// answered: the next one begins then.
func (o outage) over(t *testing.T, fail int64) {
	t.Helper()
	o.left.Store(fail)
	for _, answered := range []int64{1, 2} {
		operatortest.Eventually(t, func() error {
			if left := o.left.Load(); left > -answered {
				return fmt.Errorf("%d requests fail still, or too few were answered since", left)
			}
			return nil
		})
	}
}

// R51: reads that fail in the periodic pass, and in the first one after a start, take
// nothing from the registries, revoke no right and delete no ServiceEntry: nothing at all
// is written for them, also not afterwards.
func TestAnOutageTakesNothingAway(t *testing.T) {
	for name, away := range map[string]bool{"late": false, "away": true} {
		t.Run(name, func(t *testing.T) {
			p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}, "operator": map[string]any{"syncPeriod": "12s"}}, name)
			p.create(t, secret(name, "s", "token", "key"), connection(name, "c", "s"), modelProvider(name, "m", "https://models.example.com", "s"))
			says(t, p, connection(name, "c", ""), v1alpha1.ReasonSucceeded)
			says(t, p, modelProvider(name, "m", "https://models.example.com", "s"), v1alpha1.ReasonSucceeded)
			p.holds(t, "connection", name+"/c")
			p.holds(t, "modelprovider", name+"/m")
			p.Quiet(t)
			if err := p.run.Stop(); err != nil {
				t.Fatal(err)
			}
			o := outage{path: "/kora-tenant-" + name + "/secrets/s", away: away, left: &atomic.Int64{}}
			p.access = p.Access()
			p.access.Wrap(func(next http.RoundTripper) http.RoundTripper {
				o := o
				o.next = next
				return o
			})
			o.left.Store(3) // before anything can ask
			p.Requests.Reset()
			p.start(t)
			o.over(t, 3)
			o.over(t, 2)
			if writes := p.Requests.Writes(); len(writes) > 0 {
				t.Errorf("for reads that failed: %q", writes)
			}
			p.holds(t, "connection", name+"/c")
		})
	}
}
