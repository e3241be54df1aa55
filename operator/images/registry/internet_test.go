package registry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	backend "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// internet is TLS servers under names of their own, with addresses that a test chooses.
type internet struct {
	mu      sync.Mutex
	servers map[string]*httptest.Server
	at      map[string]netip.Addr
	seen    map[string][]http.Header // by host
	roots   *x509.CertPool
}

func newInternet() *internet {
	return &internet{servers: map[string]*httptest.Server{}, at: map[string]netip.Addr{}, seen: map[string][]http.Header{}, roots: x509.NewCertPool()}
}

func (n *internet) serve(t *testing.T, host, at string, handler http.HandlerFunc) {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		n.seen[host] = append(n.seen[host], r.Header.Clone())
		n.mu.Unlock()
		handler(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate(t, host, n.roots)}}
	server.StartTLS()
	t.Cleanup(server.Close)
	n.servers[host], n.at[host] = server, netip.MustParseAddr(at)
}

// dial asks after the address that a test gave the host, then connects.
func (n *internet) dial(ctx context.Context, network, address string, admits func(netip.Addr) bool) (net.Conn, error) {
	host, _, _ := net.SplitHostPort(address)
	host = strings.TrimSuffix(host, ".")
	server, ok := n.servers[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	if !admits(n.at[host]) {
		return nil, errAddress
	}
	return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
}

func (n *internet) sawCredentials(host string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, h := range n.seen[host] {
		if h.Get("Authorization") != "" {
			return true
		}
	}
	return false
}

// filled is a registry that holds team/image:1.
func filled(t *testing.T) http.Handler {
	t.Helper()
	inner := backend.New(backend.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(inner)
	defer server.Close()
	ref, err := name.ParseReference(strings.TrimPrefix(server.URL, "http://")+"/team/image:1", name.Insecure)
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(ref, sandbox(t, "linux/amd64", "100")); err != nil {
		t.Fatal(err)
	}
	return inner
}

// guarded asks for basic credentials first.
func guarded(inner http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); !ok || user != "u" || password != planted {
			w.Header().Set("WWW-Authenticate", `Basic realm="r"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	}
}
