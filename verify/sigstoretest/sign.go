package sigstoretest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"
	"time"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	commonpb "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"
	dssepb "github.com/sigstore/protobuf-specs/gen/pb-go/dsse"
	rekorpb "github.com/sigstore/protobuf-specs/gen/pb-go/rekor/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// Shape says how evidence differs from the usual: a bundle v0.3 with a
// certificate, an entry of Rekor 1 with promise and proof, and no timestamp.
type Shape struct {
	// Version is "0.1", "0.2", "0.3", or another that shall be refused.
	Version string
	// At is when it is signed, Now if zero.
	At time.Time
	// CertificateFrom is when the certificate begins, if not a minute before.
	CertificateFrom time.Time
	// Rekor2 takes the second log, which needs Timestamp for a time.
	Rekor2, Timestamp bool
	// What is left out.
	NoLog, NoPromise, NoProof, NoSCT bool
	// OtherCTKey has the certificate log's promise signed by a stranger.
	OtherCTKey bool
	// Key signs in place of a certificate's.
	Key *ecdsa.PrivateKey
	// PayloadType is that of an envelope.
	PayloadType string
	// Edit changes the finished bundle.
	Edit func(*bundlepb.Bundle)
}

func (s *Sigstore) shape(given []Shape) Shape {
	var out Shape
	if len(given) > 0 {
		out = given[0]
	}
	if out.Version == "" {
		out.Version = "0.3"
	}
	if out.At.IsZero() {
		out.At = Now
	}
	if out.PayloadType == "" {
		out.PayloadType = "application/vnd.in-toto+json"
	}
	return out
}

// SignBlob returns the bundle of a signature of data, as sign-blob makes it.
func (s *Sigstore) SignBlob(id Identity, data []byte, shape ...Shape) []byte {
	sum := sha256.Sum256(data)
	return s.SignDigest(id, hex.EncodeToString(sum[:]), shape...)
}

// SignDigest is SignBlob where only the SHA-256 is known, as hexadecimal.
func (s *Sigstore) SignDigest(id Identity, digest string, shape ...Shape) []byte {
	sh := s.shape(shape)
	sum, err := hex.DecodeString(digest)
	s.must(err)
	h := s.holder(id, sh)
	sig := s.signSum(h.key, sum)
	b := &bundlepb.Bundle{Content: &bundlepb.Bundle_MessageSignature{MessageSignature: &commonpb.MessageSignature{
		MessageDigest: &commonpb.HashOutput{Algorithm: commonpb.HashAlgorithm_SHA2_256, Digest: sum}, Signature: sig,
	}}}
	return s.finish(b, h, sig, sh, func() *rekorpb.TransparencyLogEntry {
		if sh.Rekor2 {
			return s.rekor2Entry(sum, sig, h.verifier())
		}
		return s.rekor1Entry(s.signedDigest(sum, sig, h.pem()), "hashedrekord", sh)
	})
}

// SignStatement returns the bundle of an attestation: a statement in an envelope.
func (s *Sigstore) SignStatement(id Identity, statement []byte, shape ...Shape) []byte {
	sh := s.shape(shape)
	h := s.holder(id, sh)
	pae := fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(sh.PayloadType), sh.PayloadType, len(statement), statement)
	sum := sha256.Sum256(pae)
	sig := s.signSum(h.key, sum[:])
	b := &bundlepb.Bundle{Content: &bundlepb.Bundle_DsseEnvelope{DsseEnvelope: &dssepb.Envelope{
		Payload: statement, PayloadType: sh.PayloadType, Signatures: []*dssepb.Signature{{Sig: sig}},
	}}}
	return s.finish(b, h, sig, sh, func() *rekorpb.TransparencyLogEntry {
		if sh.Rekor2 {
			return s.rekor2Entry(sum[:], sig, h.verifier())
		}
		return s.rekor1Entry(s.signedEnvelope(statement, sig, h.pem()), "dsse", sh)
	})
}

func (s *Sigstore) finish(b *bundlepb.Bundle, h holder, sig []byte, sh Shape, entry func() *rekorpb.TransparencyLogEntry) []byte {
	b.MediaType = "application/vnd.dev.sigstore.bundle+json;version=" + sh.Version
	if sh.Version != "0.1" && sh.Version != "0.2" {
		b.MediaType = "application/vnd.dev.sigstore.bundle.v" + sh.Version + "+json"
	}
	b.VerificationMaterial = h.material(sh)
	if !sh.NoLog {
		b.VerificationMaterial.TlogEntries = []*rekorpb.TransparencyLogEntry{entry()}
	}
	if sh.Timestamp {
		b.VerificationMaterial.TimestampVerificationData = &bundlepb.TimestampVerificationData{
			Rfc3161Timestamps: []*commonpb.RFC3161SignedTimestamp{{SignedTimestamp: s.Stamp(sig, sh.At)}},
		}
	}
	if sh.Edit != nil {
		sh.Edit(b)
	}
	out, err := protojson.Marshal(b)
	s.must(err)
	return out
}

// holder is who signs: a key, with a certificate unless the key is known.
type holder struct {
	key  crypto.Signer
	cert *x509.Certificate
	spki []byte
}

func (s *Sigstore) holder(id Identity, sh Shape) holder {
	if sh.Key != nil {
		return holder{key: sh.Key, spki: s.spki(sh.Key.Public())}
	}
	key := s.newKey()
	return holder{key: key, cert: s.leaf(id, key.Public(), sh), spki: s.spki(key.Public())}
}

func (h holder) pem() []byte {
	if h.cert == nil {
		return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: h.spki})
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.cert.Raw})
}

func (h holder) verifier() map[string]any {
	if h.cert == nil {
		return map[string]any{"keyDetails": "PKIX_ECDSA_P256_SHA_256", "publicKey": raw(h.spki)}
	}
	return map[string]any{"keyDetails": "PKIX_ECDSA_P256_SHA_256", "x509Certificate": raw(h.cert.Raw)}
}

func raw(der []byte) map[string]any {
	return map[string]any{"rawBytes": base64.StdEncoding.EncodeToString(der)}
}

func (h holder) material(sh Shape) *bundlepb.VerificationMaterial {
	if h.cert == nil {
		return &bundlepb.VerificationMaterial{Content: &bundlepb.VerificationMaterial_PublicKey{PublicKey: &commonpb.PublicKeyIdentifier{Hint: "a key"}}}
	}
	c := &commonpb.X509Certificate{RawBytes: h.cert.Raw}
	if strings.HasPrefix(sh.Version, "0.1") || sh.Version == "0.2" {
		return &bundlepb.VerificationMaterial{Content: &bundlepb.VerificationMaterial_X509CertificateChain{
			X509CertificateChain: &commonpb.X509CertificateChain{Certificates: []*commonpb.X509Certificate{c}},
		}}
	}
	return &bundlepb.VerificationMaterial{Content: &bundlepb.VerificationMaterial_Certificate{Certificate: c}}
}

func pemOf(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// NewKey returns a key and its public half as PEM, for signatures without a
// certificate.
func (s *Sigstore) NewKey() (*ecdsa.PrivateKey, []byte) {
	key := s.newKey()
	return key, pemOf("PUBLIC KEY", s.spki(key.Public()))
}

// Bundle reads a bundle that the instance made, to take parts of it.
func (s *Sigstore) Bundle(data []byte) *bundlepb.Bundle { return s.parse(data) }

// TB is the test that the instance belongs to.
func (s *Sigstore) TB() testing.TB { return s.tb }
