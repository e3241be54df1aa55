package kube

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
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
