package kube

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// R55: where a proxy is in the way of the API server, the proxy is told, with the
// field that names it and no password of its address, and never the API server.
func TestAProxyInTheWayIsTold(t *testing.T) {
	refuses := func(code int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		t.Cleanup(s.Close)
		return strings.Replace(s.URL, "http://", "http://user:planted@", 1)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := l.Addr().String()
	l.Close()
	for proxy, want := range map[string]string{
		"http://user:planted@" + gone:         "the proxy cannot be reached",
		"socks5://user:planted@" + gone:       "the proxy cannot be reached",
		"http://user:planted@proxy.invalid:1": "the name of the proxy does not resolve",
		refuses(403):                          "lets nobody through to the API server",
		refuses(407):                          "(Proxy Authentication Required)",
		refuses(502):                          "(Bad Gateway)",
	} {
		config := secured(t, &tls.Config{})
		at, err := url.Parse(proxy)
		if err != nil {
			t.Fatal(err)
		}
		config.Proxy = http.ProxyURL(at)
		f := Fault(version(t.Context(), t, config))
		behind := strings.TrimPrefix(config.Host, "https://")
		if !strings.Contains(f.Message, want) || !strings.Contains(f.Message, "proxy-url of the kubeconfig or HTTPS_PROXY names: "+at.Host) || strings.Contains(f.Message, "planted") || strings.Contains(f.Message, behind) || !strings.Contains(f.Fix, "proxy-url") {
			t.Errorf("%s: %+v", proxy, f)
		}
	}
}

// R55: a proxy that takes the call and then hangs, with TLS of its own or without, is told
// as the proxy, whether the run's time ends or a request's; an API server that hangs behind
// one that works is told as the API server.
func TestAProxyThatHangsIsTold(t *testing.T) {
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plain.Close() })
	hung := httptest.NewTLSServer(http.HandlerFunc(hangs))
	t.Cleanup(func() { hung.CloseClientConnections(); hung.Close() })
	leads := httptest.NewServer(http.HandlerFunc(tunnel))
	t.Cleanup(func() { leads.CloseClientConnections(); leads.Close() })
	const proxy, server = "the proxy leads nobody to the API server in time", "the cluster's API server does not answer in time"
	for at, want := range map[string]string{"http://" + plain.Addr().String(): proxy, "socks5://" + plain.Addr().String(): proxy, hung.URL: proxy, leads.URL: server} {
		for _, own := range []time.Duration{0, time.Second} { // the request's time
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			f := Fault(version(ctx, t, behind(t, at, own)))
			cancel()
			if !strings.Contains(f.Message, want) || want == proxy && (!strings.HasSuffix(f.Message, "HTTPS_PROXY names: "+at[strings.LastIndex(at, "/")+1:]) || !strings.Contains(f.Fix, "proxy-url")) {
				t.Errorf("%s, %s: %+v", at, own, f)
			}
		}
	}
}

// behind is an API server that hangs, asked through a proxy.
func behind(t *testing.T, proxy string, own time.Duration) *rest.Config {
	t.Helper()
	s := httptest.NewTLSServer(http.HandlerFunc(hangs))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	at, err := url.Parse(proxy)
	if err != nil {
		t.Fatal(err)
	}
	return &rest.Config{Host: s.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}, Proxy: http.ProxyURL(at), Timeout: own}
}

// tunnel is a proxy that works.
func tunnel(w http.ResponseWriter, q *http.Request) {
	to, err := net.Dial("tcp", q.Host)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer to.Close()
	w.WriteHeader(http.StatusOK)
	from, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer from.Close()
	go func() { _, _ = io.Copy(to, from) }()
	_, _ = io.Copy(from, to)
}

// R55: a name that the certificate is not for is the one that was asked for, with the
// field that says it.
func TestTheNameThatWasAskedForIsTold(t *testing.T) {
	config := secured(t, &tls.Config{})
	config.ServerName = "wrong.example.net"
	f := Fault(version(t.Context(), t, config))
	if !strings.Contains(f.Message, "for other names than wrong.example.net, by server or tls-server-name") || !strings.Contains(f.Fix, "tls-server-name") {
		t.Errorf("%+v", f)
	}
}
