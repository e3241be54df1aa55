package operatortest

import (
	"io"
	"net/http"
	"strings"
	"sync"

	"k8s.io/client-go/rest"
)

// Lag holds back what watches of one resource tell: caches stay as they were, and
// reads and writes go on, as with an API server that is slow to tell.
type Lag struct {
	resource string
	mu       sync.Mutex
	held     chan struct{} // closed while nothing is held back
}

// NewLag gives one for a resource, "koratenants", that holds nothing back yet.
func NewLag(resource string) *Lag {
	l := &Lag{resource: resource, held: make(chan struct{})}
	close(l.held)
	return l
}

// Wrap puts it between a client and the API server.
func (l *Lag) Wrap(access *rest.Config) *rest.Config {
	access.Wrap(func(next http.RoundTripper) http.RoundTripper { return lagging{l, next} })
	return access
}

// Hold keeps back all that is told from now on, until Release.
func (l *Lag) Hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = make(chan struct{})
}

// Release tells what was kept back, in its order.
func (l *Lag) Release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.held)
}

func (l *Lag) gate() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held
}

type lagging struct {
	*Lag
	next http.RoundTripper
}

func (l lagging) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.next.RoundTrip(r)
	if err == nil && r.URL.Query().Get("watch") != "" && strings.HasSuffix(r.URL.Path, "/"+l.resource) {
		response.Body = &slow{ReadCloser: response.Body, lag: l.Lag, closed: make(chan struct{})}
	}
	return response, err
}

// slow is a watch's stream: what has come in is given on when nothing is held.
type slow struct {
	io.ReadCloser
	lag    *Lag
	once   sync.Once
	closed chan struct{}
}

func (s *slow) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	select {
	case <-s.lag.gate():
	case <-s.closed:
	}
	return n, err
}

func (s *slow) Close() error {
	s.once.Do(func() { close(s.closed) })
	return s.ReadCloser.Close()
}
