package injection

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/admission/gate/gatetest"
)

// R54: a flood of one tenant's pods holds its own up and nobody else's; what it cannot
// wait for is refused with a way out; and when it is over nothing is left of it.
func TestAFloodOfOneTenantIsItsOwnAffair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i, w := injector(), &gatetest.World{Slow: "kora-tenant-evil", Open: make(chan struct{})}
		i.cached, i.direct = w, w
		flood := asked(t, w.Slow, nil, sandbox())
		flood.Object.Raw = append(flood.Object.Raw, bytes.Repeat([]byte(" "), 100_000)...)
		const many = 200
		answers := make(chan int32, many)
		for range many {
			go func() {
				r := i.Handle(t.Context(), flood)
				if said := r.Result.Message; !strings.Contains(said, "try again") {
					t.Errorf("%+v", r.Result)
				}
				answers <- r.Result.Code
			}()
		}
		synctest.Wait()
		if n, most := int(w.Stuck.Load()), gate.Default().Each; n != most {
			t.Errorf("%d of the flood are judged, want %d", n, most)
		}
		full := len(answers)
		if full < many/2 || full == many {
			t.Errorf("%d of %d found no place", full, many)
		}
		good := sandbox()
		good.Labels["runkora.io/tenant"] = "good"
		began := time.Now()
		if r := i.Handle(t.Context(), asked(t, "kora-tenant-good", nil, good)); !r.Allowed || time.Since(began) > 0 {
			t.Errorf("another tenant's, after %v: %+v", time.Since(began), r.Result)
		}
		time.Sleep(patience) // by the bubble's clock: all that wait end
		synctest.Wait()
		if len(answers) != many {
			t.Fatalf("%d of %d are answered", len(answers), many)
		}
		codes := map[int32]int{}
		for range many {
			codes[<-answers]++
		}
		if codes[http.StatusTooManyRequests] < full || codes[http.StatusTooManyRequests]+codes[http.StatusServiceUnavailable] != many {
			t.Errorf("%v", codes)
		}
		close(w.Open)
		evil := sandbox()
		evil.Labels["runkora.io/tenant"] = "evil"
		if r := i.Handle(t.Context(), asked(t, w.Slow, nil, evil)); !r.Allowed {
			t.Errorf("afterwards: %+v", r.Result)
		}
	})
}

// R54: what nobody waits for any more is not judged: not before its turn, not once
// the tenant is known, and no patch is made of it.
func TestAnEndedRequestIsNotJudged(t *testing.T) {
	i := injector() // without anything to read: a read would panic
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := i.Handle(ctx, asked(t, "kora-tenant-example", nil, sandbox())); r.Allowed || r.Result.Code != http.StatusTooManyRequests {
		t.Errorf("before its turn: %+v", r.Result)
	}
	i.cached = &gatetest.World{}
	i.direct = i.cached
	for name, r := range map[string]struct{ old, pod *corev1.Pod }{"made": {nil, sandbox()}, "changed": {sandbox(), sandbox()}} {
		if a := i.judged(ctx, asked(t, "kora-tenant-example", r.old, r.pod)); a.Allowed || a.Result.Code != http.StatusServiceUnavailable || !strings.Contains(a.Result.Message, "context canceled") {
			t.Errorf("%s, once the tenant is known: %+v", name, a.Result)
		}
	}
	if a := i.made(ctx, asked(t, "kora-tenant-example", nil, sandbox()), sandbox(), tenant); a.Allowed || len(a.Patches) > 0 {
		t.Errorf("a patch: %+v", a)
	}
}

// R54: however long a pod's name, and however much is wrong, the answer is short.
func TestTheAnswerIsShort(t *testing.T) {
	i := injector()
	i.cached, i.direct = &gatetest.World{}, &gatetest.World{}
	pod := sandbox()
	pod.Name, pod.Annotations = strings.Repeat("n", 200_000), map[string]string{}
	keys(pod, 3000, "runkora.io/")
	r := i.Handle(t.Context(), asked(t, "kora-tenant-example", nil, pod))
	if r.Allowed || len(r.Result.Message) > 20_000 {
		t.Errorf("%d bytes: %.300s", len(r.Result.Message), r.Result.Message)
	}
}
