package kube

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"k8s.io/client-go/rest"
)

// Through is an error of a request that went through a proxy, which the kubeconfig
// names by proxy-url, or the environment by HTTPS_PROXY.
type Through struct {
	Proxy string // its host and port: what else its address holds may be a password
	Err   error
}

// Error is of error.
func (t *Through) Error() string { return t.Err.Error() }

// Unwrap is of errors.
func (t *Through) Unwrap() error { return t.Err }

// proxied keeps of each error through which proxy it came.
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
	answer, err := p.next.RoundTrip(q)
	if err == nil {
		return answer, nil
	}
	if at, wrong := p.by(q); wrong == nil && at != nil {
		err = &Through{at.Host, err}
	}
	return nil, err
}

// ofProxy is what is told of a proxy that is in the way, empty where none is: what
// failed is then the proxy, whatever becomes of the API server behind it.
func ofProxy(err error) string {
	var through *Through
	if !errors.As(err, &through) {
		return ""
	}
	const by = ", which proxy-url of the kubeconfig or HTTPS_PROXY names: "
	var at *net.OpError
	switch {
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
