package authority

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"time"
)

// skew is how far the clock of who verifies may be behind.
const skew = time.Hour

// depth is how many authorities may be below a tenant's: a deputy, and no other.
const depth = 1

// make mints an authority: ECDSA P-256, which signs by itself and by a deputy.
func (r Rule) make(now time.Time) (*Pair, error) {
	template := template(r.Name, now, r.Life)
	template.MaxPathLen = depth
	return mint(template, nil)
}

// template is what all of kora's authorities have.
func template(name string, now time.Time, life time.Duration) *x509.Certificate {
	now = now.UTC().Truncate(time.Second)
	return &x509.Certificate{
		SerialNumber:          serial(),
		Subject:               pkix.Name{CommonName: name, Organization: []string{"kora"}},
		NotBefore:             now.Add(-skew),
		NotAfter:              now.Add(life),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature,
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
}

// mint makes a key and has its certificate signed, by itself where nobody else does.
func mint(template *x509.Certificate, by *Pair) (*Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	id := sha256.Sum256(point)
	template.SubjectKeyId = id[:20]
	if by == nil {
		by = &Pair{template, key}
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, by.Certificate, key.Public(), by.Key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, fmt.Errorf("read the certificate just made: %w", err)
	}
	return &Pair{certificate, key}, nil
}

// serial is 159 random bits: two authorities of one name are never one certificate.
func serial() *big.Int {
	var b [20]byte
	_, _ = rand.Read(b[:]) // never fails
	b[0] &= 0x7f
	return new(big.Int).SetBytes(b[:])
}
