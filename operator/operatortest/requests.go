package operatortest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
)

// Requests are what the operator asked of the API server in one test.
type Requests struct {
	mu     sync.Mutex
	reads  int
	writes []string
	denied map[string]string // a request that RBAC refused last time -> what it said
	taken  map[string]bool   // the kinds of requests that were not refused: see kindOf
	found  []string          // what is wrong with statuses and reconcilers
}

// Writes are all requests that may change something, "PATCH /api/v1/…", but for
// leases and events, and those that were refused.
func (r *Requests) Writes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.writes)
}

// Reads is how many other requests there were; a watch counts once.
func (r *Requests) Reads() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reads
}

// Reset forgets what was read and written so far.
func (r *Requests) Reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads, r.writes = 0, nil
}

// Faults are what the operator must not have done, and requests that it had no right to.
func (r *Requests) Faults() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append(slices.Clone(r.found), r.rights()...)
}

func (r *Requests) fault(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = append(r.found, text)
}

// recorded passes requests on and takes note of them.
type recorded struct {
	requests *Requests
	next     http.RoundTripper
}

func (r recorded) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := r.next.RoundTrip(request)
	if err == nil {
		r.requests.note(request, response)
	}
	return response, err
}

func (r *Requests) note(request *http.Request, response *http.Response) {
	path, read := request.URL.Path, request.Method == http.MethodGet
	said := []byte(nil)
	if response.StatusCode == http.StatusForbidden || !read && strings.HasSuffix(path, "/status") {
		said, _ = io.ReadAll(response.Body)
		response.Body.Close()
		response.Body = io.NopCloser(bytes.NewReader(said))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	name := request.Method + " " + path
	if r.refused(name, response.StatusCode, said) {
		return
	}
	switch {
	case read:
		r.reads++
		r.whole(request)
	case response.StatusCode < 300 && !strings.Contains(path, "/leases") && !strings.Contains(path, "/events"):
		r.writes = append(r.writes, name)
		r.lint(path, said)
	}
}

// lint judges a status that the API server has just taken.
func (r *Requests) lint(path string, said []byte) {
	if !strings.Contains(path, "/apis/runkora.io/") || len(said) == 0 {
		return
	}
	var kind struct{ Kind string }
	_ = json.Unmarshal(said, &kind)
	o := rules.Blank(kind.Kind)
	if o == nil {
		r.found = append(r.found, fmt.Sprintf("%s: a status of the kind %q", path, kind.Kind))
		return
	}
	if err := json.Unmarshal(said, o); err != nil {
		r.found = append(r.found, fmt.Sprintf("%s: %v", path, err))
		return
	}
	r.found = append(r.found, status.Lint(o)...)
}

// Forgive forgets the faults so far, in a test that is about one.
func (r *Requests) Forgive() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.found = nil
	clear(r.denied)
}
