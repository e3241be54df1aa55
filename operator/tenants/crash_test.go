package tenants_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
)

// mortal lets so many writes through, loses the answer of the last one, and then
// lets nothing through: as a process ends that is killed.
type mortal struct {
	next  http.RoundTripper
	left  *atomic.Int64
	ended chan struct{}
}

var errKilled = errors.New("killed")

func (m mortal) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet && m.left.Load() > 0 {
		return m.next.RoundTrip(r)
	}
	switch left := m.left.Add(-1); {
	case left > 0:
		return m.next.RoundTrip(r)
	case left == 0:
		if response, err := m.next.RoundTrip(r); err == nil {
			response.Body.Close()
		}
		close(m.ended)
	}
	return nil, errKilled
}

// R50: wherever the operator is killed while it makes a tenant, the next one goes
// on, and nothing is there twice, lost, or of two authorities.
func TestKilledOperatorGoesOn(t *testing.T) {
	w := operatortest.New(t, nil)
	for n := int64(1); n <= 16; n++ {
		t.Run(fmt.Sprintf("after write %d", n), func(t *testing.T) {
			name := fmt.Sprintf("killed-%d", n)
			first := mortal{left: &atomic.Int64{}, ended: make(chan struct{})}
			first.left.Store(n)
			access := w.Access()
			access.Wrap(func(next http.RoundTripper) http.RoundTripper { first.next = next; return first })
			run := w.StartWith(t, manager.Options{Access: access, Parts: []manager.Part{tenants.New(w.Settings, clock.RealClock{})}})
			tenant(t, w, name, nil)
			select {
			case <-first.ended:
			case <-t.Context().Done():
				t.Fatal("it did not come so far")
			}
			_ = run.Stop()
			before := &corev1.Secret{}
			_ = w.Admin.Get(t.Context(), keyOf(name), before)

			second := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
			ready(t, w, name)
			after := get(t, w, &corev1.Secret{}, v1alpha1.TenantNamespace(name), v1alpha1.TenantCA)
			if before.UID != "" && (before.UID != after.UID || !maps.EqualFunc(before.Data, after.Data, bytes.Equal)) {
				t.Error("the certificate authority was made twice")
			}
			// It is written again only to get the mark of its UID, where the first had no time.
			if made := !maps.Equal(before.Annotations, after.Annotations); before.UID != "" && !made && before.ResourceVersion != after.ResourceVersion {
				t.Error("the certificate authority was written again")
			}
			settle(t, w)
			if err := second.Stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// R50: two operators at once, as when a lease was lost and nobody noticed yet, do
// not fight: every tenant is ready, with one authority, and both fall silent.
func TestTwoOperatorsDoNotFight(t *testing.T) {
	w := operatortest.New(t, nil)
	both := []*operatortest.Run{w.Start(t, tenants.New(w.Settings, clock.RealClock{})), w.Start(t, tenants.New(w.Settings, clock.RealClock{}))}
	const many = 8
	for n := range many {
		tenant(t, w, fmt.Sprintf("twice-%d", n), nil)
	}
	for n := range many {
		got := ready(t, w, fmt.Sprintf("twice-%d", n))
		published(t, w, got)
	}
	settle(t, w)
	// One whose namespace and rights the other made may have been refused at first, and
	// looks again when its queue says so.
	operatortest.Eventually(t, func() error {
		if faults := w.Requests.Faults(); len(faults) > 0 {
			return errors.New(strings.Join(faults, "\n"))
		}
		return nil
	})
	minted := 0
	for _, write := range w.Requests.Writes() {
		if strings.HasPrefix(write, "POST ") && strings.Contains(write, "/"+v1alpha1.TenantNamespace("twice-")) && strings.HasSuffix(write, "/secrets") {
			minted++
		}
	}
	if minted != 2*many { // one each, and its deputy
		t.Errorf("%d authorities were made for %d tenants", minted, many)
	}
	steady(t, w, func() {})
	for _, run := range both { // before the tenants go: one would take the rights with which the other still looks
		if err := run.Stop(); err != nil {
			t.Error(err)
		}
	}
}
