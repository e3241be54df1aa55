package testcluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"net"
	"os"
	"path/filepath"
	"time"
)

// pki is a folder of certificates and keys that live as long as one cluster.
type pki struct{ dir string }

func (p pki) path(name string) string { return filepath.Join(p.dir, name) }

// signer is an authority whose certificate is NAME.crt.
type signer struct {
	pki
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// newSigner makes NAME.crt and NAME.key, which sign themselves.
func (p pki) newSigner(name string) (signer, error) {
	template := certificate(name)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage |= x509.KeyUsageCertSign
	key, err := p.newKey(name)
	if err != nil {
		return signer{}, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return signer{}, err
	}
	cert, err := x509.ParseCertificate(der)
	return signer{p, cert, key}, errors.Join(err, p.write(name+".crt", "CERTIFICATE", der))
}

// issue makes NAME.crt and NAME.key for the common name NAME. It serves hosts
// and 127.0.0.1, and identifies a client too.
func (s signer) issue(name string, hosts ...string) error {
	template := certificate(name)
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	template.DNSNames = append([]string{"localhost"}, hosts...)
	template.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	key, err := s.newKey(name)
	if err != nil {
		return err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, s.cert, key.Public(), s.key)
	if err != nil {
		return err
	}
	return s.write(name+".crt", "CERTIFICATE", der)
}

// certificate begins an hour ago: clocks differ, if only between namespaces.
func certificate(name string) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour),
		NotAfter:  time.Now().AddDate(1, 0, 0),
		KeyUsage:  x509.KeyUsageDigitalSignature,
	}
}

// newKey makes NAME.key.
func (p pki) newKey(name string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, p.write(name+".key", "EC PRIVATE KEY", der)
}

// newPair makes NAME.key and NAME.pub, the keys of service account tokens.
func (p pki) newPair(name string) error {
	key, err := p.newKey(name)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return err
	}
	return p.write(name+".pub", "PUBLIC KEY", der)
}

func (p pki) write(name, kind string, der []byte) error {
	return os.WriteFile(p.path(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
