package evidence_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/sigstoretest"
)

// seeds are evidence of every kind, and what is nearly some.
func seeds(f *testing.F) [][]byte {
	s := sigstoretest.New(f)
	id, data := sigstoretest.Kora("1.4.0"), []byte("data")
	statement := sigstoretest.Statement(evidence.ProvenanceV1, sigstoretest.ProvenanceV1("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0"), sigstoretest.DigestOf(data))
	layer, _ := s.SignImageOlder(id, "ghcr.io/runkora/kora", sigstoretest.DigestOf(data))
	att, _ := s.AttestImageOlder(id, statement)
	blob, signed := s.SignBlob(id, data), s.SignStatement(id, statement, sigstoretest.Shape{Rekor2: true, Timestamp: true})
	return [][]byte{
		blob, signed, statement, layer, att, append(append(signed, '\n'), blob...), nil, []byte("{}"), []byte(`{"a":{"A":[{}]}}`),
		[]byte(`{"payload":"","payloadType":"","signatures":[]}`), []byte(`{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json"}`),
		[]byte(`{"mediaType":"application/vnd.dev.sigstore.bundle.v0.3+json","dsseEnvelope":{"payload":"e30=","payloadType":"application/vnd.in-toto+json","signatures":[{"sig":"eA=="}]},"verificationMaterial":{"publicKey":{"hint":""},"tlogEntries":[{}]}}`),
		[]byte(`{"_type":"https://in-toto.io/Statement/v1","subject":[{"digest":{"SHA256":""}}],"predicateType":"x","predicate":{}}`),
	}
}

// FuzzBundle: no bytes end the program, and what is taken is whole.
func FuzzBundle(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range []evidence.Format{evidence.OneBundle, evidence.OldEnvelope} {
			items, found := evidence.Raw{Name: "x", Format: format, Bytes: data}.Parse()
			if len(items)+len(found) != 1 {
				t.Fatalf("%d items and %d faults of one bundle", len(items), len(found))
			}
			for _, i := range items {
				whole(t, i)
			}
		}
	})
}

// FuzzLines: every line that is not blank is an item or a fault.
func FuzzLines(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		items, found := evidence.Raw{Name: "x", Format: evidence.Lines, Bytes: data}.Parse()
		if len(items)+len(found) == 0 && strings.TrimSpace(string(data)) != "" {
			t.Fatal("something was read, and neither taken nor refused")
		}
		for _, i := range items {
			whole(t, i)
		}
		for _, one := range found {
			if !utf8.ValidString(one.Error()) {
				t.Errorf("%q", one.Error())
			}
		}
	})
}

func whole(t *testing.T, i evidence.Item) {
	t.Helper()
	if i.Bundle == nil || (i.Statement == nil) == (i.Bundle.GetDsseEnvelope() != nil) {
		t.Fatalf("half an item: %+v", i)
	}
	if e := i.Bundle.GetDsseEnvelope(); e != nil && len(e.GetSignatures()) != 1 {
		t.Fatalf("%d signatures", len(e.GetSignatures()))
	}
}

// FuzzStatement: what is taken has subjects with digests of the right form, and
// is the same when it is read again.
func FuzzStatement(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := evidence.ParseStatement(data)
		if err != nil {
			return
		}
		if !json.Valid(data) || len(s.Subjects) == 0 || s.PredicateType == "" {
			t.Fatalf("taken: %+v", s)
		}
		for _, subject := range s.Subjects {
			for algorithm, value := range subject.Digests {
				if strings.ToLower(algorithm+value) != algorithm+value || len(value) < 64 {
					t.Fatalf("%s: %s", algorithm, value)
				}
			}
		}
		if p, err := evidence.ParseProvenance(s); err == nil && p.Builder == "" {
			t.Fatal("a provenance without a builder")
		}
	})
}

// FuzzSimpleSigning: the payload and the annotations of the older scheme.
func FuzzSimpleSigning(f *testing.F) {
	s := sigstoretest.New(f)
	layer, a := s.SignImageOlder(sigstoretest.Kora("1.4.0"), "ghcr.io/runkora/kora", sigstoretest.DigestOf(nil), sigstoretest.Shape{Timestamp: true})
	f.Add(layer, a[evidence.SignatureAnnotation], a[evidence.CertificateAnnotation], a[evidence.BundleAnnotation], a[evidence.TimestampAnnotation])
	f.Add(layer, "eA==", "", `{"SignedEntryTimestamp":"","Payload":{"body":{},"integratedTime":1,"logIndex":-1,"logID":""}}`, "null")
	f.Add([]byte(`{"critical":{"type":"x","image":{"docker-manifest-digest":"x"}}}`), "", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n", "{}", "{}")
	f.Fuzz(func(t *testing.T, layer []byte, sig, cert, entry, stamp string) {
		items, found := evidence.Raw{Name: "x", Format: evidence.SimpleSigning, Bytes: layer, Annotations: map[string]string{
			evidence.SignatureAnnotation: sig, evidence.CertificateAnnotation: cert,
			evidence.BundleAnnotation: entry, evidence.TimestampAnnotation: stamp,
		}}.Parse()
		if len(items)+len(found) != 1 || len(items) == 1 && (items[0].Bundle == nil || items[0].Simple == nil) {
			t.Fatalf("%+v %+v", items, found)
		}
	})
}
