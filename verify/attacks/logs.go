package attacks

import (
	"bytes"
	"encoding/hex"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"
	rekorpb "github.com/sigstore/protobuf-specs/gen/pb-go/rekor/v1"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/sigstoretest"
)

// logs are signatures with an entry of the log that is none of theirs, or that
// the log never had.
func logs(s *sigstoretest.Sigstore) []Case {
	other := s.Bundle(s.SignBlob(Kora, []byte("another"))).VerificationMaterial.TlogEntries[0]
	attested := s.Bundle(s.SignStatement(Kora, provenance(digest()))).VerificationMaterial.TlogEntries[0]
	second := s.Bundle(s.SignBlob(Kora, []byte("another"), sigstoretest.Shape{Rekor2: true, Timestamp: true})).VerificationMaterial.TlogEntries[0]
	edited := func(name, says string, shape sigstoretest.Shape, edit func(m *bundlepb.VerificationMaterial, e *rekorpb.TransparencyLogEntry)) Case {
		shape.Edit = func(b *bundlepb.Bundle) { edit(b.VerificationMaterial, b.VerificationMaterial.TlogEntries[0]) }
		return Case{Name: name, Want: verify.BadEvidence, Says: says, Evidence: s.SignBlob(Kora, Chart, shape)}
	}
	none, rekor2 := sigstoretest.Shape{}, sigstoretest.Shape{Rekor2: true, Timestamp: true}
	type material = bundlepb.VerificationMaterial
	type entry = rekorpb.TransparencyLogEntry
	swap := func(e *entry) func(*material, *entry) {
		return func(m *material, _ *entry) { m.TlogEntries = []*entry{e} }
	}
	attestation := func(name string, e *entry) Case {
		return Case{Name: name, Ask: Provenance, Want: verify.BadEvidence, Evidence: s.SignStatement(Kora, provenance(digest()), sigstoretest.Shape{
			Edit: func(b *bundlepb.Bundle) { b.VerificationMaterial.TlogEntries = []*entry{e} },
		})}
	}
	return []Case{
		edited("CVE-2022-23649: a log entry of another artifact", "log", none, swap(other)),
		edited("CVE-2026-22703: a log entry of an attestation for a signature", "log", none, swap(attested)),
		edited("CVE-2026-22703: a second log's entry of another artifact", "log", rekor2, swap(second)),
		attestation("CVE-2024-53267: a log entry of a signature for an attestation", other),
		attestation("CVE-2024-53267: a log entry of another attestation", s.Bundle(s.SignStatement(Kora, provenance(sigstoretest.DigestOf(nil)))).VerificationMaterial.TlogEntries[0]),
		edited("GHSA-wqqc-jjcq-vfxm: a log entry of the signature and certificate with another digest", "", none, func(_ *material, e *entry) {
			sum, _ := hex.DecodeString(sigstoretest.DigestOf(Chart)[7:])
			e.CanonicalizedBody = bytes.Replace(e.CanonicalizedBody, []byte(hex.EncodeToString(sum)), bytes.Repeat([]byte("0"), 64), 1)
		}),
		edited("GHSA-9vcr-p3rj-q5q6: one entry twice", "duplicate", none, func(m *material, e *entry) { m.TlogEntries = append(m.TlogEntries, e) }),
		edited("GHSA-9vcr-p3rj-q5q6: a good entry beside one of another artifact", "log", none, func(m *material, _ *entry) { m.TlogEntries = append(m.TlogEntries, other) }),
		edited("a promise with a bit turned", "log", none, func(_ *material, e *entry) { e.InclusionPromise.SignedEntryTimestamp[20] ^= 1 }),
		edited("a time that the promise does not give", "log", none, func(_ *material, e *entry) { e.IntegratedTime++ }),
		edited("an index that the promise does not give", "log", none, func(_ *material, e *entry) { e.LogIndex++ }),
		edited("a log that nobody trusts", "its transparency log is not in this root", none, func(_ *material, e *entry) { e.LogId.KeyId[0] ^= 1 }),
		edited("a root hash of another tree", "", none, func(_ *material, e *entry) { e.InclusionProof.RootHash[0] ^= 1 }),
		edited("a path to another root", "", none, func(_ *material, e *entry) { e.InclusionProof.Hashes[0][0] ^= 1 }),
		edited("a checkpoint without a signature", "", none, func(_ *material, e *entry) {
			e.InclusionProof.Checkpoint.Envelope = e.InclusionProof.Checkpoint.Envelope[:40]
		}),
		edited("a checkpoint of another log", "", rekor2, func(_ *material, e *entry) {
			e.InclusionProof.Checkpoint = s.Bundle(sigstoretest.New(s.TB()).SignBlob(Kora, Chart, rekor2)).VerificationMaterial.TlogEntries[0].InclusionProof.Checkpoint
		}),
		edited("a proof without a checkpoint", "checkpoint", none, func(_ *material, e *entry) { e.InclusionProof.Checkpoint = nil }),
		edited("a bundle v0.3 without a proof", "proof", sigstoretest.Shape{NoProof: true}, func(*material, *entry) {}),
		edited("a body that is not JSON", "", none, func(_ *material, e *entry) { e.CanonicalizedBody = []byte("body") }),
		edited("a body that is empty", "", none, func(_ *material, e *entry) { e.CanonicalizedBody = nil }),
		edited("CVE-2023-33199: a body of the kind intoto that holds nothing", "", none, func(_ *material, e *entry) {
			e.CanonicalizedBody = []byte(`{"apiVersion":"0.0.2","kind":"intoto","spec":{"content":{"envelope":{"payloadType":"x","signatures":[]}}}}`)
			e.KindVersion = &rekorpb.KindVersion{Kind: "intoto", Version: "0.0.2"}
		}),
		edited("CVE-2023-33199: a body of the kind dsse without a signature", "", none, func(_ *material, e *entry) {
			e.CanonicalizedBody = []byte(`{"apiVersion":"0.0.1","kind":"dsse","spec":{"signatures":[]}}`)
			e.KindVersion = &rekorpb.KindVersion{Kind: "dsse", Version: "0.0.1"}
		}),
		edited("a body without a spec", "", none, func(_ *material, e *entry) {
			e.CanonicalizedBody = []byte(`{"apiVersion":"0.0.1","kind":"hashedrekord"}`)
		}),
		edited("a kind that the body does not give", "", none, func(_ *material, e *entry) { e.KindVersion.Kind = "dsse" }),
		edited("an entry without a kind", "", none, func(_ *material, e *entry) { e.KindVersion = nil }),
		edited("an entry without a log", "", none, func(_ *material, e *entry) { e.LogId = nil }),
	}
}
