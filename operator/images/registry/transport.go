package registry

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

// What refuses a request before it leaves.
var (
	errAddress = errors.New("no registry may have the address")
	errScheme  = errors.New("the registry is asked by the other scheme alone")
)

// bounded is the transport below go-containerregistry: every request of one read,
// redirects and tokens too, passes it.
type bounded struct {
	target
	ports    []int
	limits   Limits
	inner    *http.Transport
	requests atomic.Int32
	bytes    atomic.Int64
	after    atomic.Pointer[string] // Retry-After of the last answer, when that is a refusal
	door     bool                   // the read ended before any repository was asked
}

// dialer connects to host:port if the address that it resolves to is admitted.
type dialer func(ctx context.Context, network, address string, admits func(netip.Addr) bool) (net.Conn, error)

// dial asks after each resolved address, so that no name leads where it may not.
func dial(ctx context.Context, network, address string, admits func(netip.Addr) bool) (net.Conn, error) {
	d := net.Dialer{Timeout: 10 * time.Second, Control: func(_, resolved string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(resolved)
		if err != nil || !admits(at.Addr()) {
			return errAddress
		}
		return nil
	}}
	return d.DialContext(ctx, network, address)
}

func (c *Client) bounded(t target) *bounded {
	b := &bounded{target: t, ports: c.Ports, limits: c.limits()}
	connect := c.dial
	if connect == nil {
		connect = dial
	}
	b.inner = &http.Transport{
		// No proxy: the addresses could not be judged behind one.
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			host, port := split(address, "443")
			connection, err := connect(ctx, network, net.JoinHostPort(b.absolute(host), port), b.reach(host).admits)
			if errors.Is(err, errAddress) {
				return nil, b.misplaced(host)
			}
			return connection, err
		},
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.roots},
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  20 * time.Second,
		MaxResponseHeaderBytes: maxHeaders,
		DisableCompression:     true, // what is small on the wire stays small
		ForceAttemptHTTP2:      true,
	}
	return b
}

// absolute keeps a name from being completed by the cluster's search domains:
// kubernetes.default is no registry. A mirror may be a name of the cluster.
func (b *bounded) absolute(host string) string {
	if _, err := netip.ParseAddr(host); err == nil || b.mirror {
		return host
	}
	return strings.TrimSuffix(host, ".") + "."
}

// reach says how far connections to a host may go.
func (b *bounded) reach(host string) reach {
	own, _ := split(b.host, "")
	switch {
	case host == own && b.loopback:
		return here
	case host == own && b.mirror:
		return chosen
	case sameSite(host, own):
		return asked
	}
	return elsewhere
}

// RoundTrip sends one request of a read, or refuses it.
func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.requests.Add(1) > int32(b.limits.Requests) {
		return nil, b.limits.tooMany()
	}
	if err := b.admit(r); err != nil {
		return nil, err
	}
	if !b.trusted(r.URL.Hostname()) {
		// go-containerregistry sends a token's request, with the credentials, to
		// whatever realm a registry names. Here they stay within its domain.
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			return nil, elsewhereTo(r.URL.Hostname(), "credentials are not sent to a host outside of the registry's domain")
		}
		r = r.Clone(r.Context())
		r.Header.Del("Authorization")
	}
	response, err := b.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	b.after.Store(nil)
	if after := response.Header.Get("Retry-After"); after != "" && response.StatusCode >= 400 {
		b.after.Store(&after)
	}
	if response.ContentLength > b.limits.Body {
		response.Body.Close()
		return nil, b.excess(response)
	}
	response.Body = &body{ReadCloser: response.Body, left: b.limits.Body, read: b}
	return response, nil
}

// excess says of an answer that is too large what it is: an image's own document, by its
// type, or nobody knows what.
func (b *bounded) excess(response *http.Response) error {
	given, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if kind := types.MediaType(given); response.StatusCode == http.StatusOK && (kind.IsImage() || kind.IsIndex()) {
		return b.limits.large("a manifest or an index", response.ContentLength)
	}
	return b.limits.tooLarge()
}

// admit judges scheme and port; dial judges the address.
func (b *bounded) admit(r *http.Request) error {
	own := r.URL.Host == b.host
	if own && b.plain && r.URL.Scheme == "http" {
		return nil
	}
	if led := b.scheme(r); led != nil {
		return led
	}
	host, port := split(r.URL.Host, "443")
	if n, err := strconv.Atoi(port); !own && (err != nil || n != 443 && !slices.Contains(b.ports, n)) {
		return b.port(host, port)
	}
	return nil
}

// trusted reports whether credentials may go to a host: the one that is read, and
// over TLS those of its domain.
func (b *bounded) trusted(host string) bool {
	own, _ := split(b.host, "")
	return b.itself(host) || !b.plain && sameSite(host, own)
}

// body ends with an error where an answer, or all of them, are too large.
type body struct {
	io.ReadCloser
	left int64
	read *bounded
}

// Read reads on.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	switch {
	case b.left < 0:
		return 0, b.read.limits.tooLarge()
	case b.read.bytes.Add(int64(n)) > b.read.limits.Total:
		return 0, b.read.limits.inAll()
	}
	return n, err
}
