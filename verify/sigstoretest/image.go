package sigstoretest

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"testing"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// Statement returns an in-toto statement v1 about digests, each "sha256:HEX".
func Statement(predicateType string, predicate any, digests ...string) []byte {
	return StatementOf("https://in-toto.io/Statement/v1", predicateType, predicate, digests...)
}

// StatementOf is Statement with a _type of one's choice.
func StatementOf(kind, predicateType string, predicate any, digests ...string) []byte {
	subjects := []any{}
	for i, d := range digests {
		subjects = append(subjects, map[string]any{"name": fmt.Sprintf("artifact-%d", i+1), "digest": map[string]any{"sha256": trim(d)}})
	}
	out, err := json.Marshal(map[string]any{"_type": kind, "predicateType": predicateType, "predicate": predicate, "subject": subjects})
	if err != nil {
		panic(err) // a test gave a predicate that is no JSON
	}
	return out
}

// ProvenanceV1 is the predicate of an SLSA provenance v1 as GitHub makes it.
func ProvenanceV1(repository, workflow, ref string) map[string]any {
	return map[string]any{
		"buildDefinition": map[string]any{
			"buildType":          "https://actions.github.io/buildtypes/workflow/v1",
			"externalParameters": map[string]any{"workflow": map[string]any{"ref": ref, "repository": "https://github.com/" + repository, "path": workflow}},
		},
		"runDetails": map[string]any{"builder": map[string]any{"id": "https://github.com/" + repository + "/" + workflow + "@" + ref}},
	}
}

// ProvenanceV02 is the predicate of an SLSA provenance v0.2.
func ProvenanceV02(repository, workflow, ref string) map[string]any {
	return map[string]any{
		"builder":    map[string]any{"id": "https://github.com/" + repository + "/" + workflow + "@" + ref},
		"buildType":  "https://github.com/example/builder@v1",
		"invocation": map[string]any{"configSource": map[string]any{"uri": "git+https://github.com/" + repository + "@" + ref, "entryPoint": workflow}},
	}
}

// DigestOf returns "sha256:" and the hexadecimal digest of data.
func DigestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func trim(digest string) string {
	if len(digest) > 7 && digest[:7] == "sha256:" {
		return digest[7:]
	}
	return digest
}

// SignImage returns the bundle that cosign 3 attaches to an image's or chart's
// digest, "sha256:HEX": a statement of the type sign/v1.
func (s *Sigstore) SignImage(id Identity, digest string, shape ...Shape) []byte {
	return s.SignStatement(id, Statement("https://sigstore.dev/cosign/sign/v1", map[string]any{}, digest), shape...)
}

// SignImageOlder returns the layer and its annotations of the older scheme,
// as cosign 1 and 2 put them under the tag sha256-HEX.sig.
func (s *Sigstore) SignImageOlder(id Identity, reference, digest string, shape ...Shape) (layer []byte, annotations map[string]string) {
	layer, err := json.Marshal(map[string]any{"critical": map[string]any{
		"identity": map[string]any{"docker-reference": reference},
		"image":    map[string]any{"docker-manifest-digest": digest},
		"type":     "cosign container image signature",
	}, "optional": nil})
	s.must(err)
	return layer, s.older(s.SignBlob(id, layer, olderShape(shape)))
}

// AttestImageOlder returns the layer and its annotations of an attestation, as
// cosign 1 and 2 put them under the tag sha256-HEX.att.
func (s *Sigstore) AttestImageOlder(id Identity, statement []byte, shape ...Shape) (layer []byte, annotations map[string]string) {
	b := s.parse(s.SignStatement(id, statement, olderShape(shape)))
	e := b.GetDsseEnvelope()
	layer, err := json.Marshal(map[string]any{
		"payloadType": e.GetPayloadType(), "payload": e.GetPayload(),
		"signatures": []any{map[string]any{"keyid": "", "sig": e.GetSignatures()[0].GetSig()}},
	})
	s.must(err)
	annotations = s.older(s.bytes(b))
	annotations["dev.cosignproject.cosign/signature"] = ""
	return layer, annotations
}

func olderShape(given []Shape) Shape {
	out := Shape{}
	if len(given) > 0 {
		out = given[0]
	}
	out.Version, out.NoProof = "0.1", true
	return out
}

// older takes a bundle v0.1 apart into annotations.
func (s *Sigstore) older(bundle []byte) map[string]string {
	b := s.parse(bundle)
	out := map[string]string{"dev.cosignproject.cosign/signature": base64.StdEncoding.EncodeToString(b.GetMessageSignature().GetSignature())}
	m := b.GetVerificationMaterial()
	if certs := m.GetX509CertificateChain().GetCertificates(); len(certs) > 0 {
		out["dev.sigstore.cosign/certificate"] = certificatePEM(certs[0].GetRawBytes())
		out["dev.sigstore.cosign/chain"] = certificatePEM(s.caCert.Raw) + certificatePEM(s.rootCert.Raw)
	}
	for _, e := range m.GetTlogEntries() {
		text, err := json.Marshal(map[string]any{"SignedEntryTimestamp": e.GetInclusionPromise().GetSignedEntryTimestamp(), "Payload": map[string]any{
			"body": e.GetCanonicalizedBody(), "integratedTime": e.GetIntegratedTime(),
			"logIndex": e.GetLogIndex(), "logID": hex.EncodeToString(e.GetLogId().GetKeyId()),
		}})
		s.must(err)
		out["dev.sigstore.cosign/bundle"] = string(text)
	}
	for _, t := range m.GetTimestampVerificationData().GetRfc3161Timestamps() {
		text, err := json.Marshal(map[string]any{"SignedRFC3161Timestamp": t.GetSignedTimestamp()})
		s.must(err)
		out["dev.sigstore.cosign/rfc3161timestamp"] = string(text)
	}
	return out
}

func certificatePEM(der []byte) string { return string(pemOf("CERTIFICATE", der)) }

func (s *Sigstore) parse(data []byte) *bundlepb.Bundle {
	b := &bundlepb.Bundle{}
	s.must(protojson.Unmarshal(data, b))
	return b
}

func (s *Sigstore) bytes(b *bundlepb.Bundle) []byte {
	out, err := protojson.Marshal(b)
	s.must(err)
	return out
}

// Older returns the annotations of a signature of the older scheme by kora,
// whose chain is this instance's own.
func (s *Sigstore) Older(tb testing.TB, digest string) map[string]string {
	tb.Helper()
	_, annotations := s.SignImageOlder(Kora("1.4.0"), "ghcr.io/runkora/kora", digest)
	return annotations
}
