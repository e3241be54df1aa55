package pulls_test

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/pulls"
	corev1 "k8s.io/api/core/v1"
)

// deaf does not answer a read of the path's end, while there is one.
type deaf struct {
	next http.RoundTripper
	to   *atomic.Pointer[string]
	n    *atomic.Int32
}

func (d deaf) RoundTrip(r *http.Request) (*http.Response, error) {
	if to := d.to.Load(); to != nil && r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, *to) {
		d.n.Add(1)
		return nil, errors.New("connection refused")
	}
	return d.next.RoundTrip(r)
}

// R21, R31: while the API server does not answer, no copy beside the node agent goes,
// also one that the chart names no more; what is known is done when it answers again.
func TestAReadThatFailsTakesNoCopy(t *testing.T) {
	w := world(t, "unread-a", "unread-b")
	secret(t, w, operatortest.System, "unread-a", corev1.SecretTypeDockerConfigJson, login("one"))
	b := secret(t, w, operatortest.System, "unread-b", corev1.SecretTypeDockerConfigJson, login("two"))
	run := w.Start(t, pulls.New(w.Settings))
	holds(t, w, "unread-a", "one")
	holds(t, w, "unread-b", "two")
	if err := run.Stop(); err != nil {
		t.Error(err)
	}

	later := world(t, "unread-b")
	d := deaf{to: &atomic.Pointer[string]{}, n: &atomic.Int32{}}
	access := later.Access()
	access.Wrap(func(next http.RoundTripper) http.RoundTripper { return deaf{next, d.to, d.n} })
	list, source := "/namespaces/kora-sandbox-mount/secrets", "/namespaces/kora-system/secrets/unread-b"
	d.to.Store(&list)
	later.StartWith(t, manager.Options{Access: access, Parts: []manager.Part{pulls.New(later.Settings)}})
	asked := func(times int32) {
		t.Helper()
		d.n.Store(0)
		operatortest.Eventually(t, func() error {
			if d.n.Load() < times {
				return errors.New("it was not asked again")
			}
			return nil
		})
	}
	asked(3)
	if writes := later.Requests.Writes(); len(writes) > 0 {
		t.Errorf("while the copies cannot be listed: %q", writes)
	}
	b.Data = login("rotated")
	if err := w.Admin.Update(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	d.to.Store(&source)
	asked(3)
	holds(t, w, "unread-a", "") // nobody names it
	holds(t, w, "unread-b", "two")
	d.to.Store(nil)
	holds(t, w, "unread-b", "rotated")
}
