package preflight

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"
	"time"
)

// meantFor is a certificate of both hosts with these usages.
func meantFor(t *testing.T, known []x509.ExtKeyUsage, other ...asn1.ObjectIdentifier) string {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"example.com", "api.example.com"}, NotBefore: noon.Add(-time.Hour), NotAfter: noon.Add(999 * time.Hour), ExtKeyUsage: known, UnknownExtKeyUsage: other}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key().Public(), key())
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// R55: a certificate that says what it is for says that it is for servers, and so does
// each one behind it: browsers refuse the others.
func TestACertificateIsForServers(t *testing.T) {
	type of = []x509.ExtKeyUsage
	good, client := meantFor(t, of{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}), meantFor(t, of{x509.ExtKeyUsageClientAuth})
	for name, c := range map[string]struct {
		chain string
		want  State
	}{
		"servers": {good, Passed}, "anything": {meantFor(t, of{x509.ExtKeyUsageAny}), Passed}, "it does not say": {meantFor(t, nil), Passed}, "behind it too": {good + good, Passed},
		"clients": {client, Failed}, "an authority for clients": {good + client, Failed}, "code": {meantFor(t, of{x509.ExtKeyUsageCodeSigning}), Failed},
		"something of its own": {meantFor(t, nil, asn1.ObjectIdentifier{1, 2, 3, 4}), Failed},
	} {
		f, s := goodFacts(t), goodSettings()
		secretValue("kora-gateway-tls", "tls.crt", c.chain)(f, &s)
		o := judged(f, s)["gateway-certificate"]
		if o.State != c.want || c.want == Failed && (!strings.Contains(o.Findings[0].Message, "not for servers") || o.Findings[0].Fix == "") {
			t.Errorf("%s: %+v", name, o)
		}
	}
}
