package registries_test

import (
	"fmt"
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
	path string
	code atomic.Int64 // how they fail: see operatortest.Answers
	left atomic.Int64 // requests that fail still; below 0: answered ones are counted
}

func (o *outage) say(r *http.Request) int {
	if !strings.Contains(r.URL.Path, o.path) || o.left.Add(-1) < 0 {
		return operatortest.Pass
	}
	return int(o.code.Load())
}

// atLeast gives nil when so many were counted.
func atLeast(n *atomic.Int64, want int64) error {
	if got := n.Load(); got < want {
		return fmt.Errorf("%d were asked, want %d", got, want)
	}
	return nil
}

// over waits until all have failed that were to, and a whole pass has come after the first that was
// answered: the next one begins then.
func (o *outage) over(t *testing.T) {
	t.Helper()
	for _, answered := range []int64{1, 2} {
		operatortest.Eventually(t, func() error {
			if left := o.left.Load(); left > -answered {
				return fmt.Errorf("%d requests fail still, or too few were answered since", left)
			}
			return nil
		})
	}
}

// R51: reads that fail in the first pass after a start, and in the periodic one, take
// nothing from the registries, revoke no right and delete no ServiceEntry: nothing at all
// is written for them, also not afterwards.
func TestAnOutageTakesNothingAway(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}, "operator": map[string]any{"syncPeriod": "15s"}}, "late")
	p.create(t, secret("late", "s", "token", "key"), connection("late", "c", "s"), modelProvider("late", "m", "https://models.example.com", "s"))
	says(t, p, connection("late", "c", ""), v1alpha1.ReasonSucceeded)
	says(t, p, modelProvider("late", "m", "https://models.example.com", "s"), v1alpha1.ReasonSucceeded)
	p.holds(t, "connection", "late/c")
	p.holds(t, "modelprovider", "late/m")
	p.Quiet(t)
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	o, answers := &outage{path: "/kora-tenant-late/secrets/s"}, &operatortest.Answers{}
	answers.When(o.say)
	p.access = answers.Wrap(p.Access())
	p.Requests.Reset()
	o.code.Store(operatortest.Away)
	o.left.Store(3) // before anything can ask
	p.start(t)
	o.over(t)
	o.code.Store(http.StatusInternalServerError)
	o.left.Store(1) // two in a row may be told, as they take two sync periods
	o.over(t)
	if writes := p.Requests.Writes(); len(writes) > 0 {
		t.Errorf("for reads that failed: %q", writes)
	}
	p.holds(t, "connection", "late/c")
}
