package attacks

import (
	"bytes"
	"encoding/json"
	"strings"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	dssepb "github.com/sigstore/protobuf-specs/gen/pb-go/dsse"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/sigstoretest"
)

// statements are attestations that say something else than was asked, or that
// say it in a way that two readers would read differently.
func statements(s *sigstoretest.Sigstore) []Case {
	other := sigstoretest.DigestOf([]byte("another"))
	said := func(name string, want verify.Kind, says string, statement []byte, shape ...sigstoretest.Shape) Case {
		return Case{Name: name, Ask: Attestation, Type: "slsaprovenance", Want: want, Says: says, Evidence: s.SignStatement(Kora, statement, shape...)}
	}
	subject := func(name, says string, want verify.Kind, digests map[string]any) Case {
		statement, _ := json.Marshal(map[string]any{"_type": v1, "predicateType": slsa1, "predicate": sigstoretest.ProvenanceV1("runkora/kora", workflow, "refs/tags/v1.4.0"),
			"subject": []any{map[string]any{"name": "kora", "digest": digests}}})
		return said(name, want, says, statement)
	}
	edited := func(name, says string, edit func(*dssepb.Envelope)) Case {
		return said(name, verify.BadEvidence, says, provenance(digest()), sigstoretest.Shape{Edit: func(b *bundlepb.Bundle) { edit(b.GetDsseEnvelope()) }})
	}
	hex := strings.TrimPrefix(digest(), "sha256:")
	byDigest := func(c Case) Case { c.ByDigest = true; return c }
	stranger := sigstoretest.GitHub("example/evil", ".github/workflows/x.yml", "refs/heads/main")
	long := []byte(`{"_type":"` + v1 + `","predicateType":"` + slsa1 + `","predicate":{},"subject":[{"name":"kora","digest":{"sha512":"` + strings.Repeat("0", 128) + `"}}]}`)
	spdx := sigstoretest.Statement("https://spdx.dev/Document", map[string]any{}, digest())
	signature := sigstoretest.Statement("https://sigstore.dev/cosign/sign/v1", map[string]any{}, digest())
	doubled := bytes.Replace(provenance(digest()), []byte(`"predicate":`), []byte(`"predicateType":"x","predicate":`), 1)
	return []Case{
		said("CVE-2026-31830: a statement about another artifact", verify.NoneMatches, "subjects", provenance(other)),
		said("CVE-2022-35929: an attestation of another type", verify.NoneMatches, "predicate type", spdx),
		{Name: "CVE-2022-35930: an attestation of another type than the URI asked for", Ask: Attestation, Type: "https://spdx.dev/Document", Want: verify.NoneMatches, Says: "predicate type", Evidence: s.SignStatement(Kora, provenance(digest()))},
		{Name: "a predicate type that only begins like the one asked for", Ask: Attestation, Type: "https://spdx.dev/Document", Want: verify.NoneMatches, Says: "predicate type", Evidence: s.SignStatement(Kora, sigstoretest.Statement("https://spdx.dev/Document/v2", map[string]any{}, digest()))},
		{Name: "CVE-2025-25204: a jsonl without the type asked for", Ask: Provenance, Want: verify.NoneMatches, Says: "predicate type", Evidence: bytes.Join([][]byte{s.SignStatement(Kora, spdx), s.SignStatement(Kora, signature)}, []byte("\n"))},
		{Name: "CVE-2025-25204: an empty jsonl", Ask: Provenance, Evidence: []byte("\n \n"), Want: verify.NotSigned},
		{Name: "CVE-2026-35205: an empty jsonl for an attestation", Ask: Attestation, Type: "any", Evidence: nil, Want: verify.NotSigned},
		{Name: "a provenance where a signature was asked for", Ask: File, Want: verify.NoneMatches, Says: "no signature of the artifact", Evidence: s.SignStatement(Kora, provenance(digest()))},
		{Name: "another attestation where a signature was asked for", Ask: File, Want: verify.NoneMatches, Says: "no signature of the artifact", Evidence: s.SignStatement(Kora, spdx)},
		{Name: "a signature where an attestation was asked for", Ask: Attestation, Type: "any", Want: verify.NoneMatches, Says: "no attestation", Evidence: s.SignBlob(Kora, Chart)},
		{Name: "a sign/v1 statement about another artifact", Ask: File, Want: verify.NoneMatches, Says: "subjects", Evidence: s.SignImage(Kora, other)},
		said("CVE-2026-39395: a payload that is no statement", verify.BadEvidence, "statement", []byte("not a statement")),
		said("CVE-2026-39395: an empty statement", verify.BadEvidence, "statement", []byte("{}")),
		said("a statement of a foreign _type", verify.BadEvidence, "_type", sigstoretest.StatementOf("https://example.com/Statement/v1", slsa1, map[string]any{}, digest())),
		said("a statement v2", verify.BadEvidence, "_type", sigstoretest.StatementOf("https://in-toto.io/Statement/v2", slsa1, map[string]any{}, digest())),
		said("a statement without a predicate type", verify.BadEvidence, "predicateType", sigstoretest.StatementOf(v1, "", map[string]any{}, digest())),
		said("a statement without a subject", verify.BadEvidence, "subject", []byte(`{"_type":"`+v1+`","predicateType":"`+slsa1+`","predicate":{},"subject":[]}`)),
		said("a statement with an unknown field", verify.BadEvidence, "unknown", append([]byte(`{"verified":true,`), provenance(digest())[1:]...)),
		said("a statement with a key that stands twice", verify.BadEvidence, "twice", doubled),
		said("a statement with keys that differ by case", verify.BadEvidence, "case alone", append([]byte(`{"PredicateType":"x",`), provenance(digest())[1:]...)),
		said("something after the statement", verify.BadEvidence, "follows", append(provenance(digest()), '{', '}')),
		said("a byte order mark before the statement", verify.BadEvidence, "byte order mark", append([]byte("\xef\xbb\xbf"), provenance(digest())...)),
		subject("a subject by sha1 alone", "subjects", verify.NoneMatches, map[string]any{"sha1": "da39a3ee5e6b4b0d3255bfef95601890afd80709"}),
		subject("a subject by gitCommit alone", "subjects", verify.NoneMatches, map[string]any{"gitCommit": "da39a3ee5e6b4b0d3255bfef95601890afd80709"}),
		subject("a sha256 value under sha512", "sha512", verify.BadEvidence, map[string]any{"sha512": hex}),
		subject("an algorithm in upper case", "lower case", verify.BadEvidence, map[string]any{"SHA256": hex}),
		subject("a digest in upper case", "lower-case", verify.BadEvidence, map[string]any{"sha256": strings.ToUpper(hex)}),
		subject("a digest cut short", "lower-case", verify.BadEvidence, map[string]any{"sha256": hex[:40]}),
		subject("CVE-2024-3727: a digest that is a path", "lower-case", verify.BadEvidence, map[string]any{"sha256": "../../etc/passwd"}),
		subject("a right sha256 beside a wrong sha512", "subjects", verify.NoneMatches, map[string]any{"sha256": hex, "sha512": strings.Repeat("0", 128)}),
		byDigest(subject("a right sha256 beside a sha512, by the digest alone", "cannot be compared", verify.CouldNotCheck, map[string]any{"sha256": hex, "sha512": strings.Repeat("0", 128)})),
		byDigest(subject("a sha512 alone, by the digest alone", "cannot be compared", verify.CouldNotCheck, map[string]any{"sha512": strings.Repeat("0", 128)})),
		byDigest(subject("a wrong sha256 beside a sha512, by the digest alone", "subjects", verify.NoneMatches, map[string]any{"sha256": strings.Repeat("0", 64), "sha512": strings.Repeat("0", 128)})),
		byDigest(subject("a right sha256 beside a sha1, by the digest alone", "", verify.Verified, map[string]any{"sha256": hex, "sha1": strings.Repeat("0", 40)})),
		byDigest(Case{Name: "a sha512 alone that somebody else signed, by the digest alone", Ask: Attestation, Type: "any", Want: verify.NoneMatches, Says: "the identity is", Evidence: s.SignStatement(stranger, long)}),
		byDigest(Case{Name: "a sha512 alone in a payload that was changed, by the digest alone", Ask: Attestation, Type: "any", Want: verify.BadEvidence, Says: "log", Evidence: s.SignStatement(Kora, long, sigstoretest.Shape{
			Edit: func(b *bundlepb.Bundle) {
				b.GetDsseEnvelope().Payload = bytes.Replace(long, []byte("kora"), []byte("koda"), 1)
			},
		})}),
		{Name: "a sign/v1 statement with a sha512, by the digest alone", ByDigest: true, Want: verify.CouldNotCheck, Says: "cannot be compared", Evidence: s.SignStatement(Kora, bytes.Replace(bytes.Replace(long, []byte(slsa1), []byte("https://sigstore.dev/cosign/sign/v1"), 1), []byte(`"sha512"`), []byte(`"sha256":"`+hex+`","sha512"`), 1))},
		subject("no digest at all", "subjects", verify.NoneMatches, map[string]any{}),
		edited("two signatures in one envelope", "signatures", func(e *dssepb.Envelope) { e.Signatures = append(e.Signatures, e.Signatures[0]) }),
		edited("a good signature behind a stranger's", "signatures", func(e *dssepb.Envelope) {
			e.Signatures = append([]*dssepb.Signature{{Sig: []byte("x")}}, e.Signatures...)
		}),
		edited("no signature in the envelope", "signatures", func(e *dssepb.Envelope) { e.Signatures = nil }),
		edited("an empty signature in the envelope", "empty", func(e *dssepb.Envelope) { e.Signatures[0].Sig = nil }),
		edited("a payload type that was changed", "payload type", func(e *dssepb.Envelope) { e.PayloadType = "application/json" }),
		edited("a payload that was changed", "log", func(e *dssepb.Envelope) {
			e.Payload = bytes.Replace(e.Payload, []byte("runkora"), []byte("runkoda"), 1)
		}),
		said("a payload of another type, signed as such", verify.BadEvidence, "payload type", provenance(digest()), sigstoretest.Shape{PayloadType: "application/json"}),
		{Name: "a bare envelope", Ask: Provenance, Want: verify.BadEvidence, Says: "neither a log entry nor a time", Evidence: []byte(`{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[{"sig":"eA==","keyid":"","cert":"x"}]}`)},
		{Name: "a statement that nobody signed", Ask: Provenance, Want: verify.BadEvidence, Says: "nobody signed", Evidence: provenance(digest())},
	}
}
