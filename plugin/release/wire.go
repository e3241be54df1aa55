package release

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"golang.org/x/net/publicsuffix"
)

var errPlainHTTP = errors.New("it would be asked over plain HTTP")

// wire is the transport below go-containerregistry: every request, also to where
// a registry redirects and for a token, passes it.
type wire struct {
	host  string // of the registry, without the port
	plain bool   // the registry itself is on this machine, and may speak HTTP
	most  int64  // bytes of one answer
	inner *http.Transport
}

func newWire(r name.Registry, l Limits) *wire {
	inner := http.DefaultTransport.(*http.Transport).Clone()
	inner.DisableCompression = true // what is small on the wire stays small
	inner.ResponseHeaderTimeout, inner.MaxResponseHeaderBytes = 20*time.Second, 64<<10
	inner.TLSHandshakeTimeout = 10 * time.Second
	return &wire{host: hostOf(r.RegistryStr()), plain: r.Scheme() == "http", most: l.Archive + 1<<20, inner: inner}
}

// RoundTrip sends one request. Credentials go to the registry's own host and site
// alone, whatever realm it names and wherever it redirects.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	host := r.URL.Hostname()
	if r.URL.Scheme != "https" && (!w.plain || host != w.host) {
		return nil, errPlainHTTP
	}
	if host != w.host && !sameSite(host, w.host) {
		r = r.Clone(r.Context())
		r.Header.Del("Authorization")
		r.Header.Del("Cookie")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return nil, errors.New("credentials are not sent to a host outside of the registry's domain")
		}
	}
	answer, err := w.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if answer.ContentLength > w.most {
		answer.Body.Close()
		return nil, errTooLarge
	}
	answer.Body = &bounded{answer.Body, w.most}
	return answer, nil
}

// bounded ends with an error where an answer is too large.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

func hostOf(registry string) string {
	if host, _, err := net.SplitHostPort(registry); err == nil {
		return host
	}
	return registry
}

// sameSite is true of two hosts of one registrable domain, such as docker.io's
// registry and the host of its tokens.
func sameSite(a, b string) bool {
	if _, err := netip.ParseAddr(a); err == nil {
		return a == b
	}
	one, errOne := publicsuffix.EffectiveTLDPlusOne(a)
	other, errOther := publicsuffix.EffectiveTLDPlusOne(b)
	return errOne == nil && errOther == nil && one == other
}
