package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	commonpb "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"
	dssepb "github.com/sigstore/protobuf-specs/gen/pb-go/dsse"
	rekorpb "github.com/sigstore/protobuf-specs/gen/pb-go/rekor/v1"
	"github.com/sigstore/sigstore-go/pkg/bundle"
)

// The annotations of a layer of the older scheme, as cosign 1 and 2 write them.
const (
	SignatureAnnotation   = "dev.cosignproject.cosign/signature"
	CertificateAnnotation = "dev.sigstore.cosign/certificate"
	ChainAnnotation       = "dev.sigstore.cosign/chain"
	BundleAnnotation      = "dev.sigstore.cosign/bundle"
	TimestampAnnotation   = "dev.sigstore.cosign/rfc3161timestamp"

	simpleType = "cosign container image signature"
	bundleV01  = "application/vnd.dev.sigstore.bundle+json;version=0.1"
)

// Simple is the payload of the older scheme: what its signature is over.
type Simple struct {
	// Payload are the bytes that were signed.
	Payload []byte
	// Type and Digest are critical.type and critical.image.docker-manifest-digest.
	Type, Digest string
}

// Signs reports whether the payload is a signature of the image with this
// digest, "sha256:" and hexadecimal digits.
func (s *Simple) Signs(digest string) bool { return s.Type == simpleType && s.Digest == digest }

// parseSimple turns a layer and its annotations into a bundle v0.1, so that
// the older scheme meets the same verifier as the new one (R45).
func parseSimple(r Raw) (Item, error) {
	s, err := simplePayload(r.Bytes)
	if err != nil {
		return Item{}, fmt.Errorf("the payload cannot be used: %w", err)
	}
	sig, err := base64.StdEncoding.Strict().DecodeString(r.Annotations[SignatureAnnotation])
	if err != nil || len(sig) == 0 {
		return Item{}, errors.New("the annotation of the signature is missing or not base64")
	}
	sum := sha256.Sum256(r.Bytes)
	b, err := older(r.Annotations, &bundlepb.Bundle{Content: &bundlepb.Bundle_MessageSignature{MessageSignature: &commonpb.MessageSignature{
		MessageDigest: &commonpb.HashOutput{Algorithm: commonpb.HashAlgorithm_SHA2_256, Digest: sum[:]},
		Signature:     sig,
	}}})
	return Item{Name: r.Name, Bundle: b, Simple: s}, err
}

func simplePayload(data []byte) (*Simple, error) {
	if err := strict(data, MaxSignature, 3); err != nil {
		return nil, err
	}
	var top struct{ Critical, Optional json.RawMessage }
	if err := exact(data, &top, "critical", "optional"); err != nil {
		return nil, err
	}
	var critical struct {
		Type     string
		Image    json.RawMessage
		Identity json.RawMessage
	}
	if err := exact(top.Critical, &critical, "type", "image", "identity"); err != nil {
		return nil, fmt.Errorf("critical: %w", err)
	}
	var image struct {
		Digest string `json:"docker-manifest-digest"`
	}
	if err := exact(critical.Image, &image, "docker-manifest-digest"); err != nil {
		return nil, fmt.Errorf("critical.image: %w", err)
	}
	return &Simple{Payload: data, Type: critical.Type, Digest: image.Digest}, nil
}

// parseOldEnvelope turns an attestation of the older scheme into a bundle v0.1.
func parseOldEnvelope(r Raw) (Item, error) {
	if err := strict(r.Bytes, MaxBundle, 3); err != nil {
		return Item{}, err
	}
	var raw struct {
		PayloadType string            `json:"payloadType"`
		Payload     []byte            `json:"payload"`
		Signatures  []json.RawMessage `json:"signatures"`
	}
	if err := exact(r.Bytes, &raw, "payloadType", "payload", "signatures"); err != nil {
		return Item{}, err
	}
	envelope := &dssepb.Envelope{PayloadType: raw.PayloadType, Payload: raw.Payload}
	for _, one := range raw.Signatures {
		var s struct {
			Sig   []byte `json:"sig"`
			KeyID string `json:"keyid"`
		}
		if err := exact(one, &s, "sig", "keyid"); err != nil {
			return Item{}, fmt.Errorf("signatures: %w", err)
		}
		envelope.Signatures = append(envelope.Signatures, &dssepb.Signature{Sig: s.Sig, Keyid: s.KeyID})
	}
	b, err := older(r.Annotations, &bundlepb.Bundle{Content: &bundlepb.Bundle_DsseEnvelope{DsseEnvelope: envelope}})
	if err != nil {
		return Item{}, err
	}
	return newItem(r.Name, b)
}

// older adds what the annotations say of certificate, log entry and time. The
// chain is left out: the trust root alone says which authorities count.
func older(annotations map[string]string, b *bundlepb.Bundle) (*bundle.Bundle, error) {
	material := &bundlepb.VerificationMaterial{}
	if err := olderCertificate(annotations[CertificateAnnotation], material); err != nil {
		return nil, err
	}
	if err := olderEntry(annotations[BundleAnnotation], material); err != nil {
		return nil, fmt.Errorf("the annotation of the log entry: %w", err)
	}
	if err := olderTime(annotations[TimestampAnnotation], material); err != nil {
		return nil, fmt.Errorf("the annotation of the timestamp: %w", err)
	}
	b.MediaType, b.VerificationMaterial = bundleV01, material
	var out *bundle.Bundle
	err := guarded(func() (err error) { out, err = bundle.NewBundle(b); return })
	if err != nil {
		return nil, fmt.Errorf("the annotations make no bundle: %w", err)
	}
	return out, nil
}

func olderCertificate(text string, m *bundlepb.VerificationMaterial) error {
	if text == "" {
		m.Content = &bundlepb.VerificationMaterial_PublicKey{PublicKey: &commonpb.PublicKeyIdentifier{}}
		return nil
	}
	block, rest := pem.Decode([]byte(text))
	if len(text) > MaxSignature || block == nil || block.Type != "CERTIFICATE" || len(bytes.TrimSpace(rest)) > 0 {
		return errors.New("the annotation of the certificate is not one certificate as PEM")
	}
	m.Content = &bundlepb.VerificationMaterial_X509CertificateChain{X509CertificateChain: &commonpb.X509CertificateChain{
		Certificates: []*commonpb.X509Certificate{{RawBytes: block.Bytes}},
	}}
	return nil
}

func olderEntry(text string, m *bundlepb.VerificationMaterial) error {
	if text == "" {
		return nil
	}
	var raw struct {
		SignedEntryTimestamp []byte
		Payload              json.RawMessage
	}
	if err := olderJSON(text, &raw, "SignedEntryTimestamp", "Payload"); err != nil {
		return err
	}
	var p struct {
		Body           []byte `json:"body"`
		IntegratedTime int64  `json:"integratedTime"`
		LogIndex       int64  `json:"logIndex"`
		LogID          string `json:"logID"`
	}
	if err := exact(raw.Payload, &p, "body", "integratedTime", "logIndex", "logID"); err != nil {
		return err
	}
	id, err := hex.DecodeString(p.LogID)
	if err != nil {
		return errors.New("the logID is not hexadecimal")
	}
	kind, err := kindOf(p.Body)
	if err != nil {
		return err
	}
	m.TlogEntries = []*rekorpb.TransparencyLogEntry{{
		LogIndex: p.LogIndex, LogId: &commonpb.LogId{KeyId: id}, KindVersion: kind, IntegratedTime: p.IntegratedTime,
		InclusionPromise:  &rekorpb.InclusionPromise{SignedEntryTimestamp: raw.SignedEntryTimestamp},
		CanonicalizedBody: p.Body,
	}}
	return nil
}

// kindOf reads kind and version of an entry, which its signature covers.
func kindOf(body []byte) (*rekorpb.KindVersion, error) {
	if err := strict(body, MaxBundle, 2); err != nil {
		return nil, fmt.Errorf("the body: %w", err)
	}
	var k struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
	}
	if err := json.Unmarshal(body, &k); err != nil {
		return nil, notJSON(err)
	}
	return &rekorpb.KindVersion{Kind: k.Kind, Version: k.APIVersion}, nil
}

func olderTime(text string, m *bundlepb.VerificationMaterial) error {
	if text == "" || text == "null" {
		return nil
	}
	var raw struct{ SignedRFC3161Timestamp []byte }
	if err := olderJSON(text, &raw, "SignedRFC3161Timestamp"); err != nil {
		return err
	}
	m.TimestampVerificationData = &bundlepb.TimestampVerificationData{
		Rfc3161Timestamps: []*commonpb.RFC3161SignedTimestamp{{SignedTimestamp: raw.SignedRFC3161Timestamp}},
	}
	return nil
}

func olderJSON(text string, into any, known ...string) error {
	if err := strict([]byte(text), MaxBundle, 2); err != nil {
		return err
	}
	return exact([]byte(text), into, known...)
}
