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
	answers, n := &operatortest.Answers{}, atomic.Int32{}
	deaf := func(to string) { // to reads of what ends so
		n.Store(0)
		answers.When(func(r *http.Request) int {
			if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, to) {
				return operatortest.Pass
			}
			n.Add(1)
			return operatortest.Away
		})
	}
	deaf("/namespaces/kora-sandbox-mount/secrets")
	later.StartWith(t, manager.Options{Access: answers.Wrap(later.Access()), Parts: []manager.Part{pulls.New(later.Settings)}})
	asked := func(times int32) {
		t.Helper()
		operatortest.Eventually(t, func() error {
			if n.Load() < times {
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
	deaf("/namespaces/kora-system/secrets/unread-b")
	asked(3)
	holds(t, w, "unread-a", "") // nobody names it
	holds(t, w, "unread-b", "two")
	answers.Whole()
	holds(t, w, "unread-b", "rotated")
}
