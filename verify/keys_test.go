package verify_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	commonpb "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

// signedBy is the bundle of a signature by a key of any kind over a file.
func signedBy(t *testing.T, s *sigstoretest.Sigstore, data, sum []byte, algorithm commonpb.HashAlgorithm, sig []byte) []evidence.Raw {
	t.Helper()
	key, _ := s.NewKey()
	return bundleOf(s.SignBlob(sigstoretest.Identity{}, data, sigstoretest.Shape{Key: key, NoLog: true, Edit: func(b *bundlepb.Bundle) {
		m := b.GetMessageSignature()
		m.Signature, m.MessageDigest.Algorithm, m.MessageDigest.Digest = sig, algorithm, sum
	}}))
}

func publicPEM(t *testing.T, key crypto.PublicKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func onDisk(t *testing.T, data []byte) verify.Artifact {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	a, found := verify.ByFile(path)
	if found.Refused() {
		t.Fatal(found)
	}
	return a
}

// R45: --key takes the kinds of keys that its rule names; each signs as it does.
func TestKindsOfKeys(t *testing.T) {
	s := sigstoretest.New(t)
	data := []byte("a file")
	sum256, sum384, sum512 := sha256.Sum256(data), sha512.Sum384(data), sha512.Sum512(data)
	sign := func(k crypto.Signer, sum []byte, o crypto.SignerOpts) []byte {
		sig, err := k.Sign(rand.Reader, sum, o)
		if err != nil {
			t.Fatal(err)
		}
		return sig
	}
	p384, err384 := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	p521, err521 := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	long, errRSA := rsa.GenerateKey(rand.Reader, 2048)
	_, edwards, errEd := ed25519.GenerateKey(rand.Reader)
	for _, err := range []error{err384, err521, errRSA, errEd} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		key       crypto.Signer
		sum, sig  []byte
		algorithm commonpb.HashAlgorithm
		byDigest  verify.Kind // what is said where only the SHA-256 is known
	}{
		"P-384":     {p384, sum384[:], sign(p384, sum384[:], crypto.SHA384), commonpb.HashAlgorithm_SHA2_384, verify.CouldNotCheck},
		"P-521":     {p521, sum512[:], sign(p521, sum512[:], crypto.SHA512), commonpb.HashAlgorithm_SHA2_512, verify.CouldNotCheck},
		"RSA":       {long, sum256[:], sign(long, sum256[:], crypto.SHA256), commonpb.HashAlgorithm_SHA2_256, verify.Verified},
		"Ed25519":   {edwards, sum256[:], sign(edwards, data, crypto.Hash(0)), commonpb.HashAlgorithm_SHA2_256, verify.CouldNotCheck},
		"Ed25519ph": {edwards, sum512[:], sign(edwards, sum512[:], crypto.SHA512), commonpb.HashAlgorithm_SHA2_512, verify.CouldNotCheck},
	} {
		v := with(t, policy.Options{Key: publicPEM(t, c.key.Public()), KeyName: "key.pub"})
		given := signedBy(t, s, data, c.sum, c.algorithm, c.sig)
		if got := v.Signature(onDisk(t, data), given); !got.Verified() || got.Signers[0].Key != "key.pub" {
			t.Errorf("%s: %v", name, got.Faults())
		}
		if got := v.Signature(onDisk(t, []byte("another")), given); got.Verified() {
			t.Errorf("%s: accepted for another file", name)
		}
		if got := v.Signature(byDigest(t, sigstoretest.DigestOf(data)), given); got.Kind != c.byDigest {
			t.Errorf("%s by digest: %s, and not %s: %v", name, got.Kind, c.byDigest, got.Faults())
		}
		broken := append([]byte{}, c.sig...)
		broken[len(broken)-1] ^= 1
		if got := v.Signature(onDisk(t, data), signedBy(t, s, data, c.sum, c.algorithm, broken)); got.Kind != verify.BadEvidence {
			t.Errorf("%s broken: %s", name, got.Kind)
		}
	}
}

// A file that changes between its digest and its signature is not verified.
func TestAFileThatChanges(t *testing.T) {
	s := sigstoretest.New(t)
	data := []byte("a file")
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := onDisk(t, []byte("what is reported"))
	if err := os.WriteFile(a.Name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("what is reported"))
	given := signedBy(t, s, data, sum[:], commonpb.HashAlgorithm_SHA2_256, ed25519.Sign(key, data))
	if got := with(t, policy.Options{Key: publicPEM(t, key.Public())}).Signature(a, given); got.Verified() {
		t.Errorf("%+v", got)
	}
}

// A signature of nothing by a key that signs bytes does not do for a digest.
func TestASignatureOfNothing(t *testing.T) {
	s := sigstoretest.New(t)
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	data := []byte("a file")
	sum := sha256.Sum256(data)
	given := signedBy(t, s, data, sum[:], commonpb.HashAlgorithm_SHA2_256, ed25519.Sign(key, nil))
	v := with(t, policy.Options{Key: publicPEM(t, key.Public())})
	if got := v.Signature(onDisk(t, data), given); got.Kind != verify.BadEvidence {
		t.Errorf("of a file: %s", got.Kind)
	}
	if got := v.Signature(byDigest(t, sigstoretest.DigestOf(data)), given); got.Verified() {
		t.Errorf("of a digest: %+v", got)
	}
}
