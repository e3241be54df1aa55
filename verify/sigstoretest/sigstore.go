// Package sigstoretest is a whole Sigstore in memory for tests: a certificate
// authority that issues what GitHub's workflows get, a certificate log, Rekor
// logs of version 1 and 2, and a timestamp authority. It makes real evidence
// that holds under its trust root and no other, and any wrong evidence that a
// test asks for. Its clock stands still, and it uses no network.
package sigstoretest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Now is when everything is signed unless a Shape says otherwise. It is past
// for every clock that runs the tests; Future never comes for any of them.
var Now = time.Date(2025, 10, 1, 12, 0, 0, 0, time.UTC)

// Future is a time at which the authorities still are trusted.
var Future = Now.AddDate(24, 0, 0)

// Sigstore is one instance. Its methods may be called by several goroutines.
type Sigstore struct {
	tb   testing.TB
	name string

	rootCert, caCert *x509.Certificate
	caKey            *ecdsa.PrivateKey
	ctKey            *ecdsa.PrivateKey
	rekor1           logKey
	rekor2           logKey
	tsaRoot, tsaLeaf *x509.Certificate
	tsaKey           *ecdsa.PrivateKey

	// Periods are when the keys are trusted, for the trust root. A test may
	// change them before it asks for one.
	Periods Periods
}

// Period is a time span; a zero End is open.
type Period struct{ Start, End time.Time }

// Periods are those of the parts of an instance.
type Periods struct{ CA, CT, Rekor, TSA Period }

// New makes an instance whose certificates and logs nobody else trusts.
func New(tb testing.TB) *Sigstore {
	tb.Helper()
	always := Period{Start: Now.AddDate(-5, 0, 0)}
	s := &Sigstore{tb: tb, name: "sigstore.example", Periods: Periods{CA: always, CT: always, Rekor: always, TSA: always}}
	rootKey := s.newKey()
	s.rootCert = s.certify(authority("root."+s.name, Now.AddDate(-5, 0, 0), Now.AddDate(30, 0, 0)), nil, rootKey.Public(), rootKey)
	s.caKey = s.newKey()
	s.caCert = s.certify(issuing("ca."+s.name, x509.ExtKeyUsageCodeSigning), s.rootCert, s.caKey.Public(), rootKey)
	s.ctKey = s.newKey()
	s.rekor1, s.rekor2 = s.newRekor1(), s.newRekor2()
	tsaRootKey := s.newKey()
	s.tsaRoot = s.certify(authority("tsa-root."+s.name, Now.AddDate(-5, 0, 0), Now.AddDate(30, 0, 0)), nil, tsaRootKey.Public(), tsaRootKey)
	s.tsaKey = s.newKey()
	s.tsaLeaf = s.certify(timestamping("tsa."+s.name), s.tsaRoot, s.tsaKey.Public(), tsaRootKey)
	return s
}

// TrustedRootFile writes the trust root into a file of the test's.
func (s *Sigstore) TrustedRootFile(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "trusted_root.json")
	if err := os.WriteFile(path, s.TrustedRoot(), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func (s *Sigstore) newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	s.must(err)
	return key
}

func (s *Sigstore) must(err error) {
	if err != nil {
		s.tb.Helper()
		s.tb.Fatalf("virtual Sigstore: %v", err)
	}
}

func (s *Sigstore) spki(key crypto.PublicKey) []byte {
	der, err := x509.MarshalPKIXPublicKey(key)
	s.must(err)
	return der
}
