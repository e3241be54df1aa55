package attacks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	commonpb "github.com/sigstore/protobuf-specs/gen/pb-go/common/v1"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/sigstoretest"
)

// bundles are changed, cut or mixed from good ones.
func bundles(s *sigstoretest.Sigstore) []Case {
	good := s.SignBlob(Kora, Chart)
	other := sigstoretest.New(s.TB())
	bad := func(name, says string, evidence []byte) Case {
		return Case{Name: name, Evidence: evidence, Want: verify.BadEvidence, Says: says}
	}
	edited := func(name, says string, edit func(*bundlepb.Bundle)) Case {
		return bad(name, says, s.SignBlob(Kora, Chart, sigstoretest.Shape{Edit: edit}))
	}
	replaced := func(old, by string) []byte { return bytes.Replace(good, []byte(old), []byte(by), 1) }
	return []Case{
		{Name: "another file with a good bundle", Artifact: []byte("another file"), Evidence: good, Want: verify.NoneMatches, Says: "another artifact"},
		{Name: "another digest with a good bundle", Artifact: []byte("another file"), ByDigest: true, Evidence: good, Want: verify.NoneMatches, Says: "another artifact"},
		{Name: "a bundle under another instance's root", Evidence: good, Root: other.TrustedRoot(), Want: verify.BadEvidence, Says: "its transparency log is not in this root"},
		{Name: "a bundle under the roots of two other instances", Evidence: good, Root: append(append(other.TrustedRootWithoutLogs(), '\n'), other.TrustedRoot()...), Want: verify.BadEvidence, Says: "in none of these roots"},
		{Name: "a timestamp alone under another instance's root without logs", Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{NoLog: true, NoSCT: true, Timestamp: true}), Root: other.TrustedRootWithoutLogs(), Want: verify.BadEvidence, Says: "its certificate authority is not in this root"},
		edited("CVE-2022-36056: a bundle that gives the artifact's digest for another signature", "log", func(b *bundlepb.Bundle) {
			b.GetMessageSignature().Signature = s.Bundle(s.SignBlob(Kora, []byte("another"))).GetMessageSignature().GetSignature()
		}),
		edited("a signature with a bit turned", "", func(b *bundlepb.Bundle) { b.GetMessageSignature().Signature[20] ^= 1 }),
		edited("an empty signature", "the signature is empty", func(b *bundlepb.Bundle) { b.GetMessageSignature().Signature = nil }),
		edited("no digest", "which digest", func(b *bundlepb.Bundle) { b.GetMessageSignature().MessageDigest = nil }),
		edited("a digest of an algorithm that nobody knows", "", func(b *bundlepb.Bundle) {
			b.GetMessageSignature().MessageDigest.Algorithm = commonpb.HashAlgorithm_HASH_ALGORITHM_UNSPECIFIED
		}),
		edited("a certificate of somebody else", "log", func(b *bundlepb.Bundle) {
			b.VerificationMaterial.Content = s.Bundle(s.SignBlob(Kora, Chart)).VerificationMaterial.Content
		}),
		{Name: "a key hint instead of a certificate", Want: verify.NoneMatches, Says: "a key alone", Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{Edit: func(b *bundlepb.Bundle) {
			b.VerificationMaterial.Content = &bundlepb.VerificationMaterial_PublicKey{PublicKey: &commonpb.PublicKeyIdentifier{Hint: "kora"}}
		}})},
		edited("no certificate and no key", "", func(b *bundlepb.Bundle) { b.VerificationMaterial.Content = nil }),
		edited("a chain in a bundle v0.3", "chain", func(b *bundlepb.Bundle) {
			b.VerificationMaterial.Content = &bundlepb.VerificationMaterial_X509CertificateChain{X509CertificateChain: &commonpb.X509CertificateChain{
				Certificates: []*commonpb.X509Certificate{b.VerificationMaterial.GetCertificate()},
			}}
		}),
		edited("a certificate that is none", "", func(b *bundlepb.Bundle) { b.VerificationMaterial.GetCertificate().RawBytes = []byte("x") }),
		edited("no content", "", func(b *bundlepb.Bundle) { b.Content = nil }),
		bad("a bundle v0.4", "media type", s.SignBlob(Kora, Chart, sigstoretest.Shape{Version: "0.4"})),
		bad("a media type of another kind", "media type", replaced("vnd.dev.sigstore.bundle", "vnd.dev.sigstore.trustedroot")),
		bad("a key that stands twice", "stands twice", append([]byte(`{"mediaType":"x",`), good[1:]...)),
		bad("two keys that differ by case", "case alone", append([]byte(`{"MediaType":"x",`), good[1:]...)),
		bad("an unknown field", "unknown field", append([]byte(`{"verified":true,`), good[1:]...)),
		bad("something after the bundle", "follows", append(bytes.Clone(good), []byte(`{}`)...)),
		bad("two bundles where one is asked for", "follows", bytes.Join([][]byte{good, good}, []byte("\n"))),
		bad("a byte order mark", "byte order mark", append([]byte("\xef\xbb\xbf"), good...)),
		bad("bytes that are no text", "UTF-8", append([]byte("{\"\xff\":1,"), good[1:]...)),
		bad("a bundle cut in the middle", "JSON", good[:len(good)/2]),
		bad("an empty file", "empty", []byte("\n")),
		bad("a list", "not a JSON object", []byte(`[]`)),
		bad("null", "not a JSON object", []byte(`null`)),
		bad("cosign's older form of a bundle", "older form", []byte(`{"base64Signature":"eA==","cert":"eA==","rekorBundle":{}}`)),
		bad("CVE-2024-24786: JSON that makes a protobuf reader run for ever", "", []byte(`{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","dsseEnvelope":{"@type":"type.googleapis.com/google.protobuf.Value","":{`)),
	}
}

// bombs are small or large inputs that cost much. What a limit of kora's leaves
// unread could not be checked, and is no less refused for it: it never passes.
func bombs(s *sigstoretest.Sigstore) []Case {
	deep := fmt.Sprintf(`{"mediaType":%s1%s}`, strings.Repeat("[", 20000), strings.Repeat("]", 20000))
	deeper := fmt.Sprintf(`{"_type":%q,"predicateType":%q,"subject":[],"predicate":%s1%s}`, v1, slsa1, strings.Repeat(`{"a":`, 20000), strings.Repeat("}", 20000))
	large := sigstoretest.Statement(slsa1, map[string]any{"x": strings.Repeat("x", 6<<20)}, digest())
	subjects := make([]string, 5000)
	for i := range subjects {
		subjects[i] = digest()
	}
	quoted, _ := json.Marshal(strings.Repeat("x", 5<<20))
	return []Case{
		{Name: "nesting of 20,000 in a bundle", Evidence: []byte(deep), Want: verify.BadEvidence, Says: "nested"},
		{Name: "nesting of 20,000 in a predicate", Ask: Provenance, Evidence: s.SignStatement(Kora, []byte(deeper)), Want: verify.BadEvidence, Says: "nested"},
		{Name: "CVE-2024-29902: a payload of 6 MB", Ask: Provenance, Evidence: s.SignStatement(Kora, large), Want: verify.CouldNotCheck, Says: "at most"},
		{Name: "CVE-2024-29902: a bundle of 5 MB", Evidence: append([]byte(`{"x":`), append(quoted, '}')...), Want: verify.CouldNotCheck, Says: "at most"},
		{Name: "CVE-2024-29903: a file of 1,001 lines", Ask: Provenance, Evidence: bytes.Repeat([]byte("{}\n"), 1001), Want: verify.CouldNotCheck, Says: "lines"},
		{Name: "CVE-2024-45395: 5,000 subjects", Ask: Provenance, Evidence: s.SignStatement(Kora, provenance(subjects...)), Want: verify.BadEvidence, Says: "subjects"},
		{
			Name: "CVE-2024-45395: 1,000 log entries", Want: verify.BadEvidence, Says: "too many",
			Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{Edit: func(b *bundlepb.Bundle) {
				m := b.VerificationMaterial
				for range 1000 {
					m.TlogEntries = append(m.TlogEntries, m.TlogEntries[0])
				}
			}}),
		},
		{
			Name: "CVE-2024-45395: 1,000 timestamps", Want: verify.BadEvidence, Says: "too many",
			Evidence: s.SignBlob(Kora, Chart, sigstoretest.Shape{Timestamp: true, Edit: func(b *bundlepb.Bundle) {
				d := b.VerificationMaterial.TimestampVerificationData
				for range 1000 {
					d.Rfc3161Timestamps = append(d.Rfc3161Timestamps, d.Rfc3161Timestamps[0])
				}
			}}),
		},
	}
}
