package soak_test

import (
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/runkora/kora/operator/operatortest"
	"k8s.io/client-go/rest"
)

// calls are requests to the API server by verb and resource, "patch connections/status".
type calls map[string]int

// proxy stands between the operator's process and the API server. It gives the
// process the rights of the chart's ServiceAccount, lints every status that is
// written, and counts.
type proxy struct {
	kubeconfig string
	mu         sync.Mutex
	counted    calls
}

// newProxy serves until the test ends.
func newProxy(t *testing.T, w *operatortest.World) *proxy {
	t.Helper()
	access := w.Access()
	next, err := rest.TransportFor(access)
	if err != nil {
		t.Fatal(err)
	}
	server, err := url.Parse(access.Host)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{counted: calls{}}
	quiet := log.New(io.Discard, "", 0) // broken watches, when the API server goes
	handler := &httputil.ReverseProxy{
		ErrorLog:      quiet,
		FlushInterval: -1, // watches
		Transport:     next,
		Rewrite: func(r *httputil.ProxyRequest) {
			p.count(r.In)
			r.SetURL(server)
		},
		// An API server that is not there breaks connections, and answers nothing.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	listening := httptest.NewUnstartedServer(handler)
	listening.Config.ErrorLog = quiet
	listening.Start()
	t.Cleanup(listening.CloseClientConnections)
	p.kubeconfig = filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":%q}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],"users":[{"name":"u","user":{}}]}`, listening.URL)
	if err := os.WriteFile(p.kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *proxy) count(r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counted[verb(r)+" "+resourceOf(r.URL.Path)]++
}

// take gives what was counted since it was last taken.
func (p *proxy) take() calls {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.counted
	p.counted = calls{}
	return out
}

// look gives what was counted, and goes on counting.
func (p *proxy) look() calls {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.counted)
}

func verb(r *http.Request) string {
	switch r.Method {
	case http.MethodGet:
		if r.URL.Query().Get("watch") != "" {
			return "watch"
		}
		return "read"
	case http.MethodPost:
		if r.URL.Query().Get("dryRun") != "" {
			return "dry-run"
		}
		return "create"
	case http.MethodPut:
		return "update"
	}
	return strings.ToLower(r.Method)
}

// resourceOf is the plural of a path, with its subresource.
func resourceOf(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) > 2 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		parts = parts[3:]
	default:
		return "discovery"
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		parts = parts[2:]
	}
	if len(parts) > 2 {
		return parts[0] + "/" + parts[2]
	}
	return parts[0]
}

// writes are those that change something that is kept, but for the lease and events.
func (c calls) writes() calls {
	out := calls{}
	for name, n := range c {
		verb, resource, _ := strings.Cut(name, " ")
		if slices.Contains([]string{"create", "update", "patch", "delete"}, verb) && resource != "leases" && resource != "events" {
			out[name] = n
		}
	}
	return out
}

// sum of the calls of a verb; of all without one.
func (c calls) sum(verb string) int {
	total := 0
	for name, n := range c {
		if verb == "" || strings.HasPrefix(name, verb+" ") {
			total += n
		}
	}
	return total
}

// String is such as "get secrets 12, patch connections/status 3", the most first.
func (c calls) String() string {
	names := slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		if c[a] != c[b] {
			return c[b] - c[a]
		}
		return strings.Compare(a, b)
	})
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf("%s %d", name, c[name]))
	}
	return strings.Join(all, ", ")
}
