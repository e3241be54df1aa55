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

// make mints an authority: ECDSA P-256, which signs leaves and no further authority.
func (r Rule) make(now time.Time) (*Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	point, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	id := sha256.Sum256(point)
	now = now.UTC().Truncate(time.Second)
	template := &x509.Certificate{
		SerialNumber:          serial(),
		Subject:               pkix.Name{CommonName: r.Name, Organization: []string{"kora"}},
		NotBefore:             now.Add(-skew),
		NotAfter:              now.Add(r.Life),
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature,
		IsCA:                  true,
		BasicConstraintsValid: true,
		MaxPathLenZero:        true,
		SubjectKeyId:          id[:20],
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
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
