package certificates

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// backdate is how far before now a certificate begins: the API server's clock may
// be behind the operator's.
const backdate = time.Hour

// pair is a certificate authority that can sign.
type pair struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// newAuthority makes an authority that can sign for one DNS name and nothing else,
// so that its key is worth nothing elsewhere.
func newAuthority(host string, now time.Time, life time.Duration) (*pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template, err := certificate("kora-operator webhooks", now, now.Add(life))
	if err != nil {
		return nil, err
	}
	template.IsCA, template.BasicConstraintsValid, template.MaxPathLenZero = true, true, true
	template.KeyUsage = x509.KeyUsageCertSign
	template.PermittedDNSDomains, template.PermittedDNSDomainsCritical = []string{host}, true
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(raw)
	return &pair{cert, key}, err
}

// sign makes a server certificate for the host, which never outlives its authority.
func (p *pair) sign(host string, now time.Time, life time.Duration) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	end := now.Add(life)
	if p.cert.NotAfter.Before(end) {
		end = p.cert.NotAfter
	}
	template, err := certificate(host, now, end)
	if err != nil {
		return nil, err
	}
	template.BasicConstraintsValid, template.DNSNames = true, []string{host}
	template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	raw, err := x509.CreateCertificate(rand.Reader, template, p.cert, key.Public(), p.key)
	if err != nil {
		return nil, err
	}
	leaf, err := x509.ParseCertificate(raw)
	return &tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: leaf}, err
}

func certificate(name string, now, end time.Time) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, err
	}
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: cutName(name)}, NotBefore: now.Add(-backdate), NotAfter: end}, nil
}

// cutName keeps to the 64 characters of a common name; nobody verifies it.
func cutName(name string) string { return name[:min(len(name), 64)] }

// usable reports whether a certificate is valid now.
func usable(c *x509.Certificate, now time.Time) bool {
	return c != nil && !now.Before(c.NotBefore) && now.Before(c.NotAfter)
}

// aging reports whether two thirds of a certificate's life are over.
func aging(c *x509.Certificate, now time.Time) bool {
	life := c.NotAfter.Sub(c.NotBefore.Add(backdate))
	return !now.Before(c.NotAfter.Add(-life / 3))
}

// encode gives a pair in PEM.
func (p *pair) encode() (cert, key []byte, err error) {
	raw, err := x509.MarshalPKCS8PrivateKey(p.key)
	if err != nil {
		return nil, nil, err
	}
	return encodeCert(p.cert), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), nil
}

func encodeCert(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}

// decodePair reads what encode wrote, and refuses a key of another certificate and
// a certificate that is no authority for the host.
func decodePair(cert, key []byte, host string) (*pair, error) {
	both, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, errors.New("certificate and key cannot be read or do not belong together")
	}
	signer, ok := both.PrivateKey.(crypto.Signer)
	if !ok || !both.Leaf.IsCA || len(both.Leaf.PermittedDNSDomains) != 1 || both.Leaf.PermittedDNSDomains[0] != host {
		return nil, fmt.Errorf("the certificate is no authority for %s alone", host)
	}
	return &pair{both.Leaf, signer}, nil
}

// decodeCert reads the first certificate of a PEM text.
func decodeCert(text []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "CERTIFICATE" {
		return nil, errors.New("no certificate in PEM")
	}
	return x509.ParseCertificate(block.Bytes)
}

// decodeCerts reads a PEM text of certificates and nothing else.
func decodeCerts(text []byte) (all []*x509.Certificate, err error) {
	for rest := text; len(bytes.TrimSpace(rest)) > 0; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil || block.Type != "CERTIFICATE" {
			return nil, errors.New("something that is no certificate in PEM")
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}
