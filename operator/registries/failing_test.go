package registries_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
)

// failing has what the operator asks fail, as long as a test wants.
type failing struct {
	*place
	answers *operatortest.Answers
}

// beginFailing starts the operator anew, with nothing that fails yet.
func beginFailing(t *testing.T, name string) failing {
	t.Helper()
	f := failing{begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}, "operator": map[string]any{"syncPeriod": "10s"}}, name), &operatortest.Answers{}}
	if err := f.run.Stop(); err != nil {
		t.Fatal(err)
	}
	f.access = f.answers.Wrap(f.Access())
	f.start(t)
	return f
}

func (f failing) when(which func(*http.Request) bool) {
	f.answers.When(func(r *http.Request) int {
		if which(r) {
			return http.StatusInternalServerError
		}
		return operatortest.Pass
	})
}

// R51: where a service's right to one more Secret cannot be written, the Connection that
// names it is not ready, nor is what names the Connection; those that had the right stay
// as they are. All come when it can.
func TestARightThatFailsIsItsOwnAffair(t *testing.T) {
	f := beginFailing(t, "right")
	had := connection("right", "had", "api")
	f.create(t, secret("right", "api", "token"), secret("right", "more", "token"), had, mcpServer("right", "tools", "https://api.example.com/mcp", "had"))
	f.holds(t, "connection", "right/had")
	f.holds(t, "mcpserver", "right/tools")
	f.when(func(r *http.Request) bool {
		return r.Method == http.MethodPatch && strings.Contains(r.URL.Path, "/roles/kora-egress-secrets")
	})
	more, tools := connection("right", "more", "more"), mcpServer("right", "more-tools", "https://api.example.com/mcp", "more")
	f.create(t, more, tools)
	says(t, f.place, more, v1alpha1.ReasonFailed, "the right of kora-egress")
	says(t, f.place, tools, v1alpha1.ReasonReferenceNotFound, `the Connection "more" is not ready`)
	says(t, f.place, had, v1alpha1.ReasonSucceeded)
	f.holds(t, "connection", "right/had")
	f.holds(t, "mcpserver", "right/tools")
	f.answers.Whole()
	says(t, f.place, tools, v1alpha1.ReasonSucceeded)
	f.holds(t, "connection", "right/had", "right/more")
	f.holds(t, "mcpserver", "right/more-tools", "right/tools")
	readable(t, f.place, "kora-egress", "right", "api", "more")
}

// R51: where ServiceEntries cannot be listed, a provider that has its own stays, and one
// that has none yet is not in the registry, as the mesh would let no call out.
func TestEntriesThatCannotBeListed(t *testing.T) {
	f := beginFailing(t, "listed")
	had := modelProvider("listed", "had", "https://models.example.com", "s")
	f.create(t, secret("listed", "s", "key"), had)
	f.holds(t, "modelprovider", "listed/had")
	lists := &atomic.Int64{}
	f.when(func(r *http.Request) bool {
		fails := r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/serviceentries") && r.URL.Query().Get("watch") == "" && r.URL.Query().Get("labelSelector") != ""
		if fails {
			lists.Add(1)
		}
		return fails
	})
	operatortest.Eventually(t, func() error { return atLeast(lists, 1) })
	more := modelProvider("listed", "more", "https://more.example.com", "s")
	f.create(t, more)
	says(t, f.place, more, v1alpha1.ReasonFailed, "could not be asked")
	says(t, f.place, had, v1alpha1.ReasonSucceeded)
	f.holds(t, "modelprovider", "listed/had")
	f.answers.Whole()
	says(t, f.place, more, v1alpha1.ReasonSucceeded)
	f.holds(t, "modelprovider", "listed/had", "listed/more")
}
