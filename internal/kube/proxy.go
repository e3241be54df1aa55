package kube

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"

	"k8s.io/client-go/rest"
)

// Through is an error of a request that went through a proxy, which the kubeconfig
// names by proxy-url, or the environment by HTTPS_PROXY.
type Through struct {
	Proxy string // its host and port: what else its address holds may be a password
	Led   bool   // it led to something: what went wrong then is behind it
	Err   error
}

// Error is of error. Of a proxy that hung it is a sentence that is known again where
// Go's client has made a text of it.
func (t *Through) Error() string {
	if t.hung() {
		return leadsNowhere + by + t.Proxy
	}
	return t.Err.Error()
}

// hung reports whether all the time went by before the proxy led anywhere.
func (t *Through) hung() bool { return !t.Led && errors.Is(t.Err, context.DeadlineExceeded) }

// Unwrap is of errors.
func (t *Through) Unwrap() error { return t.Err }

// proxied keeps of each error through which proxy it came, and how far.
type proxied struct {
	next http.RoundTripper
	by   func(*http.Request) (*url.URL, error)
}

// proxyOf is which proxy a request to this cluster takes, as client-go chooses it.
func proxyOf(config *rest.Config) func(*http.Request) (*url.URL, error) {
	if config.Proxy != nil {
		return config.Proxy
	}
	return http.ProxyFromEnvironment
}

// RoundTrip is of http.RoundTripper.
func (p *proxied) RoundTrip(q *http.Request) (*http.Response, error) {
	at, wrong := p.by(q)
	if wrong != nil || at == nil {
		return p.next.RoundTrip(q)
	}
	followed, led := follow(q, at)
	answer, err := p.next.RoundTrip(followed)
	if err != nil {
		return nil, &Through{at.Host, led(), err}
	}
	return answer, nil
}

// follow is a request of which it can be told whether a proxy led it anywhere: to the
// handshake with what is behind, which is the second where the proxy itself speaks TLS, or
// to a connection that is whole.
func follow(q *http.Request, proxy *url.URL) (*http.Request, func() bool) {
	var handshakes, least atomic.Int32
	if least.Store(1); proxy.Scheme == "https" {
		least.Store(2)
	}
	ctx := httptrace.WithClientTrace(q.Context(), &httptrace.ClientTrace{
		TLSHandshakeStart: func() { handshakes.Add(1) },
		GotConn:           func(httptrace.GotConnInfo) { least.Store(0) },
	})
	return q.WithContext(ctx), func() bool { return handshakes.Load() >= least.Load() }
}

// by goes before a proxy's host.
const by = ", which proxy-url of the kubeconfig or HTTPS_PROXY names: "

// leadsNowhere is what is told of a proxy that hangs, or that something behind it has wait.
const leadsNowhere = "the proxy leads nobody to the API server in time"

// ofProxy is what is told of a proxy that is in the way, empty where none is: what
// failed is then the proxy, whatever becomes of the API server behind it.
func ofProxy(err error) string {
	var through *Through
	if !errors.As(err, &through) {
		return hungUp(err)
	}
	var at *net.OpError
	switch {
	case through.hung():
		return through.Error()
	case !errors.As(through.Err, &at):
		if text := through.Err.Error(); statusText(text) {
			return "the proxy lets nobody through to the API server" + by + through.Proxy + " (" + text + ")"
		}
		return ""
	case strings.HasPrefix(at.Op, "socks"):
		return "the proxy lets nobody through to the API server" + by + through.Proxy
	case at.Op == "proxyconnect":
		return unproxied(at.Err) + by + through.Proxy
	}
	return ""
}

// hungUp is what is told of a proxy that hung, where Go's client has made a text of it.
func hungUp(err error) string {
	var at *url.Error
	if !errors.As(err, &at) || !strings.HasPrefix(at.Err.Error(), leadsNowhere) {
		return ""
	}
	text, _, _ := strings.Cut(at.Err.Error(), " (Client.Timeout ")
	return Line(text)
}

// unproxied says why a proxy cannot be asked.
func unproxied(err error) string {
	switch {
	case errors.As(err, new(*net.DNSError)):
		return "the name of the proxy does not resolve"
	case isTimeout(err):
		return "the proxy does not answer in time"
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return "the certificate of the proxy is not trusted"
	}
	return "the proxy cannot be reached"
}

// statusText reports whether a text is one of HTTP's own for a status, which is what
// net/http makes of a proxy's refusal.
func statusText(text string) bool {
	for code := http.StatusMultipleChoices; code <= http.StatusNetworkAuthenticationRequired; code++ {
		if text != "" && http.StatusText(code) == text {
			return true
		}
	}
	return false
}
