package kube

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/runkora/kora/internal/faults"
)

// secured is a server with a TLS of its own, and how a kubeconfig that trusts it
// reaches it.
func secured(t *testing.T, with *tls.Config) *rest.Config {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`) }))
	s.TLS, s.Config.ErrorLog = with, log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	authority := encoded("CERTIFICATE", s.Certificate().Raw)
	return &rest.Config{Host: s.URL, TLSClientConfig: rest.TLSClientConfig{CAData: authority}}
}

// pair is a certificate for 127.0.0.1 that signs itself, with its key.
func pair(t *testing.T, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "u"}, NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, form, form, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func encoded(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// R55: a TLS connection that does not come about is told by its cause, and never as
// a server that does not speak as one.
func TestAFailureOfTLSIsToldByItsCause(t *testing.T) {
	stranger, others := secured(t, &tls.Config{}), secured(t, &tls.Config{})
	stranger.CAData = encoded("CERTIFICATE", pair(t, time.Now().Add(time.Hour)).Certificate[0])
	others.ServerName = "another.example.net"
	plain := server(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	plain.Host = strings.Replace(plain.Host, "http://", "https://", 1)
	expired := secured(t, &tls.Config{Certificates: []tls.Certificate{pair(t, time.Now().Add(-time.Hour))}})
	for want, config := range map[string]*rest.Config{
		"nobody whom the kubeconfig trusts signed":  stranger,
		"is for other names":                        others,
		"is not trusted: it has expired":            expired,
		"does not speak TLS":                        plain,
		"refuses the client certificate":            secured(t, &tls.Config{ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: x509.NewCertPool()}),
		"ends the handshake (tls: internal error)":  secured(t, &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return nil, errors.New("planted") }}),
		"no TLS connection to the API server comes": secured(t, &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}),
	} {
		f := Fault(version(t.Context(), t, config))
		if !strings.Contains(f.Message, want) || f.Code != faults.ClusterSilent || strings.Contains(f.Message, "speak as one") || strings.Contains(f.Message, "\n") {
			t.Errorf("%+v, want %q", f, want)
		}
	}
	if err := version(t.Context(), t, secured(t, &tls.Config{})); err != nil {
		t.Errorf("the server that is trusted: %v", err)
	}
}
