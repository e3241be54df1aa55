package images_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// fast runs ahead of the machine's clock: a registry's minute is one second.
type fast struct {
	clock.RealClock
	begun time.Time
}

func (f fast) Now() time.Time { return f.begun.Add(60 * time.Since(f.begun)) }

// R50, R52: one image that drips has the registry left alone for its tenant, again and
// again. The others of the tenant stand as they were judged, well or badly, and in the
// steady state nothing is written and no event is made.
func TestADrippingRegistryWritesNothing(t *testing.T) {
	var drips, others atomic.Int32
	p := begin(t, "drip", func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.HasPrefix(r.URL.Path, "/v2/denied/"):
			w.WriteHeader(http.StatusForbidden)
			return true
		case !strings.HasPrefix(r.URL.Path, "/v2/drip/"):
			others.Add(1)
			return false
		}
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		for drips.Add(1); r.Context().Err() == nil; time.Sleep(20 * time.Millisecond) {
			_, _ = w.Write([]byte(" "))
			w.(http.Flusher).Flush()
		}
		return true
	}, nil)
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	p.Settings.SyncPeriod = "2s"
	p.hurry = func(r *images.Reconciler) {
		r.Hurry(registry.Limits{Time: 500 * time.Millisecond}, fast{begun: time.Now()})
	}
	p.start(t)
	p.server.Push(t, "team/good:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	p.server.Push(t, "team/root:1", registrytest.Sandbox(t, "linux/amd64", ""))
	p.server.Push(t, "team/foreign:1", registrytest.Image(t, "linux/amd64", "100", nil))
	p.server.PushIndex(t, "team/arm:1", "linux/arm64")
	judged := map[string]string{"team/good": v1alpha1.ReasonSucceeded, "team/root": v1alpha1.ReasonWrongUser, "team/foreign": v1alpha1.ReasonNotSandboxBase,
		"team/arm": v1alpha1.ReasonPlatformMissing, "team/gone": v1alpha1.ReasonImageNotFound, "denied/x": v1alpha1.ReasonUnauthorized}
	for repository := range judged {
		p.image(t, strings.ReplaceAll(repository, "/", "-"), at+"/"+repository+":1", nil)
	}
	for repository, reason := range judged {
		p.says(t, strings.ReplaceAll(repository, "/", "-"), reason)
	}
	p.image(t, "drip", at+"/drip/x:1", nil)
	p.says(t, "drip", v1alpha1.ReasonRegistryUnavailable, "does not answer in time")
	events := func() (n int) {
		list := &eventsv1.EventList{}
		if err := p.Admin.List(t.Context(), list, client.InNamespace(p.namespace)); err != nil {
			t.Fatal(err)
		}
		for _, e := range list.Items {
			n++
			if e.Series != nil {
				n += int(e.Series.Count)
			}
		}
		return n
	}
	p.Quiet(t)
	p.Requests.Reset()
	before, dripped, asked := events(), drips.Load(), others.Load()
	operatortest.Eventually(t, func() error { // the registry is left alone time and again
		if d, o := drips.Load()-dripped, others.Load()-asked; d < 3 || o < 20 {
			return fmt.Errorf("asked %d times where it drips, and %d times elsewhere", d, o)
		}
		return nil
	})
	if writes := p.Requests.Writes(); len(writes) > 0 || events() != before {
		t.Errorf("%d events more, and written in the steady state: %q", events()-before, writes)
	}
	for repository, reason := range judged {
		p.says(t, strings.ReplaceAll(repository, "/", "-"), reason)
	}
}
