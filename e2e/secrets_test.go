//go:build e2e

package e2e

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// secrets makes what D asks to be in the system namespace before kora; the
// passwords of PostgreSQL and Redis are wrong at first.
func secrets(w *world) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		w.Fatal(err)
	}
	signing := w.write("key.pem", block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(key)))
	encryption := make([]byte, 32)
	_, _ = rand.Read(encryption)
	w.do("kubectl", "-n", system, "create", "secret", "generic", "kora-secrets", "--from-literal=DB_PASSWORD="+rand.Text(), "--from-literal=REDIS_PASSWORD="+rand.Text(),
		"--from-file=KORA_TOKEN_SIGNING_KEY="+signing, "--from-literal=KORA_TRIGGERS_ENCRYPTION_KEY="+base64.StdEncoding.EncodeToString(encryption))
	w.do("kubectl", "-n", system, "create", "secret", "generic", "kora-frontend-secrets", "--from-literal=BFF_SESSION_SECRET="+rand.Text()+rand.Text())
	certificate, private := selfSigned(w, "kora.example.com", "api.kora.example.com")
	w.do("kubectl", "-n", system, "create", "secret", "tls", "kora-gateway-tls", "--cert="+w.write("tls.crt", string(certificate)), "--key="+w.write("tls.key", string(private)))
	w.do("kubectl", "-n", system, "create", "secret", "generic", "kora-redis-ca", "--from-file=ca.crt="+w.write("ca.crt", w.services.authority))
	w.say("the Secrets kora-secrets, kora-frontend-secrets, kora-redis-ca and kora-gateway-tls are made")
}

func block(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// authority is a private one.
type authority struct {
	pem         string
	certificate *x509.Certificate
	key         any
}

func newAuthority(w *world) *authority {
	certificate, private := selfSigned(w, "authority.example.com")
	pair, err := tls.X509KeyPair(certificate, private)
	if err != nil {
		w.Fatal(err)
	}
	return &authority{string(certificate), pair.Leaf, pair.PrivateKey}
}

// pair is a server's certificate for an address, and its key, as PEM.
func (a *authority) pair(w *world, address string) (certificate, private string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		w.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: address}, IPAddresses: []net.IP{net.ParseIP(address)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		w.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		w.Fatal(err)
	}
	return block("CERTIFICATE", der), block("PRIVATE KEY", text)
}

// selfSigned is a certificate for hosts, its own authority, and its key, as PEM.
func selfSigned(w *world, hosts ...string) (certificate, private []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		w.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: hosts[0]}, DNSNames: hosts,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(90 * 24 * time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		w.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		w.Fatal(err)
	}
	return []byte(block("CERTIFICATE", der)), []byte(block("PRIVATE KEY", text))
}
