package tenants_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// mute is an API server that does not do some of what the operator asks.
type mute struct {
	mu      sync.Mutex
	asked   []string // "GET /api/v1/…", each once, since the last time that this was emptied
	refuses string   // such a request, and "" for none
	code    int
	refused int // how many were
}

// refuse has a request answered with a code from now on; "" none.
func (m *mute) refuse(request string, code int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuses, m.code, m.refused, m.asked = request, code, 0, nil
}

// reads are the reads of the tenant's pass since the last refuse.
func (m *mute) reads() (all []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, each := range m.asked {
		if strings.HasPrefix(each, "GET ") && !strings.Contains(each, "/leases/") {
			all = append(all, each)
		}
	}
	return all
}

func (m *mute) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.refused
}

func (m *mute) takes(request string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.asked, request) {
		m.asked = append(m.asked, request)
	}
	if request != m.refuses {
		return operatortest.Pass
	}
	m.refused++
	return m.code
}

func (m *mute) say(r *http.Request) int {
	if r.URL.Query().Get("watch") != "" {
		return operatortest.Pass
	}
	return m.takes(r.Method + " " + r.URL.Path)
}

// silent is an operator of tenants with a pull Secret of the chart's and a tenant at rest
// that has one of its own, before an API server that can be muted.
func silent(t *testing.T, name string) (*operatortest.World, *mute) {
	t.Helper()
	w := operatortest.New(t, map[string]any{"global": map[string]any{"imagePullSecrets": []any{"everyones"}}})
	m, answers := &mute{}, &operatortest.Answers{}
	answers.When(m.say)
	w.StartWith(t, manager.Options{Access: answers.Wrap(w.Access()), Parts: []manager.Part{tenants.New(w.Settings, clock.RealClock{})}})
	pullSecret(t, w, "everyones", "one")
	pullSecret(t, w, "own", "two")
	tenant(t, w, name, func(o *v1alpha1.KoraTenant) { o.Spec.ImagePullSecrets = []v1alpha1.LocalReference{{Name: "own"}} })
	ready(t, w, name)
	settle(t, w)
	return w, m
}

// passes waits until the operator has been refused so many times, which is in several passes.
func (m *mute) passes(t *testing.T, times int) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		if n := m.count(); n < times {
			return fmt.Errorf("asked %d times", n)
		}
		return nil
	})
}

// R21, R50: whatever read of a pass fails, and however, nothing of the tenant is taken
// away, changed or deleted: the status tells, and nothing else is written.
func TestAReadThatFailsTakesNothing(t *testing.T) {
	w, m := silent(t, "unread")
	m.refuse("", 0)
	turn(t, w, "unread")
	settle(t, w)
	reads := m.reads()
	for _, must := range []string{"/kora-tenant-unread/secrets", "/kora-system/secrets/everyones", "/kora-tenant-unread/configmaps/kora-tenant-ca"} {
		if !slices.ContainsFunc(reads, func(r string) bool { return strings.HasSuffix(r, must) }) {
			t.Fatalf("%s is not among what a pass reads: %q", must, reads)
		}
	}
	for i, read := range reads {
		code := []int{http.StatusInternalServerError, http.StatusForbidden, http.StatusTooManyRequests, operatortest.Away}[i%4]
		t.Run(fmt.Sprint(strings.ReplaceAll(read, "/", "_"), code), func(t *testing.T) {
			w.Requests.Reset()
			m.refuse(read, code)
			turn(t, w, "unread")
			m.passes(t, 5)
			for _, write := range w.Requests.Writes() {
				if !strings.Contains(write, "/koratenants/unread/status") {
					t.Errorf("while the read fails: %s", write)
				}
			}
			m.refuse("", 0)
			turn(t, w, "unread")
			ready(t, w, "unread")
			settle(t, w)
		})
	}
}

// R21: sandboxes pull with what they pulled with, while nobody can tell whether a copy
// is there: its label is gone and its source cannot be read, it is gone and cannot be made,
// the namespace's Secrets cannot be listed, or the operator's rights are not in force yet.
func TestSandboxesPullWithWhatTheyHad(t *testing.T) {
	w, m := silent(t, "unasked")
	const home, system = "/api/v1/namespaces/kora-tenant-unasked/secrets", "/api/v1/namespaces/kora-system/secrets"
	unlabelled := func(t *testing.T, o *corev1.Secret) { patch(t, w, o, `{"metadata":{"labels":null}}`) }
	for name, c := range map[string]struct {
		request string
		code    int
		before  func(*testing.T, *corev1.Secret)
	}{
		"the list fails":             {"GET " + home, 500, nil},
		"the list is out of reach":   {"GET " + home, operatortest.Away, nil},
		"rights are not in force":    {"GET " + home, 403, nil},
		"the source cannot be read":  {"GET " + system + "/own", 500, nil},
		"and it has lost its labels": {"GET " + system + "/own", 500, unlabelled},
		"nor can it be looked at":    {"GET " + home + "/own", 500, unlabelled},
		"the copy cannot be made": {"POST " + home, 500, func(t *testing.T, o *corev1.Secret) {
			if err := w.Admin.Delete(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			account := get(t, w, &corev1.ServiceAccount{}, "kora-tenant-unasked", "default")
			m.refuse(c.request, c.code)
			if c.before != nil {
				c.before(t, get(t, w, &corev1.Secret{}, "kora-tenant-unasked", "own"))
			}
			turn(t, w, "unasked")
			m.passes(t, 5)
			if now := get(t, w, &corev1.ServiceAccount{}, "kora-tenant-unasked", "default"); now.ResourceVersion != account.ResourceVersion {
				t.Errorf("sandboxes pull with %v, and pulled with %v", now.ImagePullSecrets, account.ImagePullSecrets)
			}
			operatortest.Eventually(t, func() error {
				o := &v1alpha1.KoraTenant{}
				if err := w.Admin.Get(t.Context(), client.ObjectKey{Name: "unasked"}, o); err != nil {
					return err
				}
				if meta.IsStatusConditionTrue(o.Status.Conditions, v1alpha1.ConditionNamespaceReady) {
					return errors.New("the status says that all is well")
				}
				return nil
			})
			m.refuse("", 0)
			turn(t, w, "unasked")
			ready(t, w, "unasked")
			copied(t, w, "kora-tenant-unasked", "own", "two")
			settle(t, w)
		})
	}

	// What is known is acted on: named no more, it is pulled with no more, also while the
	// Secrets cannot be listed.
	m.refuse("GET "+home, 500)
	patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metaNamed("unasked")}, `{"spec":{"imagePullSecrets":null}}`)
	operatortest.Eventually(t, func() error {
		account := get(t, w, &corev1.ServiceAccount{}, "kora-tenant-unasked", "default")
		if len(account.ImagePullSecrets) != 1 || account.ImagePullSecrets[0].Name != "everyones" {
			return fmt.Errorf("sandboxes pull with %v", account.ImagePullSecrets)
		}
		return nil
	})
	m.refuse("", 0)
	turn(t, w, "unasked")
	ready(t, w, "unasked")
}
