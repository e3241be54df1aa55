package verify_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/sigstoretest"
)

const image = "sha256:1111111111111111111111111111111111111111111111111111111111111111"

func byDigest(t *testing.T, digest string) verify.Artifact {
	t.Helper()
	a, found := verify.ByDigest("ghcr.io/runkora/kora", digest)
	if found.Refused() {
		t.Fatal(found)
	}
	return a
}

func layer(data []byte, annotations map[string]string) []evidence.Raw {
	return []evidence.Raw{{Name: "layer", Format: evidence.SimpleSigning, Bytes: data, Annotations: annotations}}
}

// R45: signatures of the older scheme meet the same verifier.
func TestOlderSignatures(t *testing.T) {
	s := sigstoretest.New(t)
	v := under(t, s, policy.Options{})
	payload, right := s.SignImageOlder(sigstoretest.Kora("1.4.0"), "ghcr.io/runkora/kora", image)
	if got := v.Signature(byDigest(t, image), layer(payload, right)); !got.Verified() || got.Signers[0].Identity == "" || got.Signers[0].Time == nil {
		t.Fatalf("%+v", got)
	}
	_, stamped := s.SignImageOlder(sigstoretest.Kora("1.4.0"), "ghcr.io/runkora/kora", image, sigstoretest.Shape{Timestamp: true})
	if got := v.Signature(byDigest(t, image), layer(payload, stamped)); !got.Verified() {
		t.Fatalf("with a timestamp: %+v", got)
	}
	other, otherAnnotations := s.SignImageOlder(sigstoretest.GitHub("example/evil", ".github/workflows/x.yml", "refs/heads/main"), "ghcr.io/runkora/kora", image)
	without := func(key string) map[string]string { m := maps.Clone(right); delete(m, key); return m }
	with := func(key, value string) map[string]string { m := maps.Clone(right); m[key] = value; return m }
	entry := right[evidence.BundleAnnotation]
	type refusal struct {
		payload     []byte
		annotations map[string]string
		digest      string
		kind        verify.Kind
	}
	for name, c := range map[string]refusal{
		"another image":                        {payload, right, strings.Replace(image, "1", "2", 1), verify.NoneMatches},
		"somebody else":                        {other, otherAnnotations, image, verify.NoneMatches},
		"a payload that was changed":           {[]byte(strings.Replace(string(payload), "optional\":null", "optional\":{}", 1)), right, image, verify.BadEvidence},
		"a payload of another type":            {[]byte(strings.Replace(string(payload), "cosign container", "atomic container", 1)), right, image, verify.NoneMatches},
		"a payload with a key twice":           {[]byte(strings.Replace(string(payload), `{"critical"`, `{"critical":{},"critical"`, 1)), right, image, verify.BadEvidence},
		"a payload with keys that fold":        {[]byte(strings.Replace(string(payload), `{"critical"`, `{"Critical":{},"critical"`, 1)), right, image, verify.BadEvidence},
		"a payload that is no JSON":            {[]byte("x"), right, image, verify.BadEvidence},
		"a payload of 100 KB":                  {[]byte(`{"critical":"` + strings.Repeat("x", 100<<10) + `"}`), right, image, verify.CouldNotCheck},
		"no signature":                         {payload, without(evidence.SignatureAnnotation), image, verify.BadEvidence},
		"a signature that is not base64":       {payload, with(evidence.SignatureAnnotation, "%"), image, verify.BadEvidence},
		"somebody else's signature":            {payload, with(evidence.SignatureAnnotation, otherAnnotations[evidence.SignatureAnnotation]), image, verify.BadEvidence},
		"no certificate":                       {payload, without(evidence.CertificateAnnotation), image, verify.NoneMatches},
		"somebody else's certificate":          {payload, with(evidence.CertificateAnnotation, otherAnnotations[evidence.CertificateAnnotation]), image, verify.BadEvidence},
		"two certificates":                     {payload, with(evidence.CertificateAnnotation, right[evidence.CertificateAnnotation]+right[evidence.CertificateAnnotation]), image, verify.BadEvidence},
		"a certificate that is none":           {payload, with(evidence.CertificateAnnotation, "-----BEGIN CERTIFICATE-----\neA==\n-----END CERTIFICATE-----\n"), image, verify.BadEvidence},
		"no log entry":                         {payload, without(evidence.BundleAnnotation), image, verify.BadEvidence},
		"CVE-2022-23649: another log entry":    {payload, with(evidence.BundleAnnotation, otherAnnotations[evidence.BundleAnnotation]), image, verify.BadEvidence},
		"a body that is no text":               {payload, with(evidence.BundleAnnotation, `{"SignedEntryTimestamp":"eA==","Payload":{"body":{"a":1},"integratedTime":1,"logIndex":1,"logID":"00"}}`), image, verify.BadEvidence},
		"a log entry with an unknown field":    {payload, with(evidence.BundleAnnotation, `{"x":1,`+entry[1:]), image, verify.BadEvidence},
		"a log entry with a key twice":         {payload, with(evidence.BundleAnnotation, `{"Payload":{},`+entry[1:]), image, verify.BadEvidence},
		"a log entry that is no JSON":          {payload, with(evidence.BundleAnnotation, "x"), image, verify.BadEvidence},
		"a timestamp that is junk":             {payload, with(evidence.TimestampAnnotation, `{"SignedRFC3161Timestamp":"eHh4eA=="}x`), image, verify.BadEvidence},
		"a timestamp that is no object":        {payload, with(evidence.TimestampAnnotation, `"x"`), image, verify.BadEvidence},
		"annotations of an image without any":  {payload, nil, image, verify.BadEvidence},
		"a chain cannot bring its own trust":   {payload, sigstoretest.New(t).Older(t, image), image, verify.BadEvidence},
		"an attestation's layer as signature":  {[]byte(`{"payloadType":"x","payload":"","signatures":[]}`), right, image, verify.BadEvidence},
		"a digest of the image in upper case":  {[]byte(strings.Replace(string(payload), "sha256:1", "SHA256:1", 1)), right, image, verify.NoneMatches},
		"a payload whose critical is missing":  {[]byte(`{"optional":null}`), right, image, verify.BadEvidence},
		"a payload whose critical is a string": {[]byte(`{"critical":"x","optional":null}`), right, image, verify.BadEvidence},
	} {
		got := v.Signature(byDigest(t, c.digest), layer(c.payload, c.annotations))
		if got.Kind != c.kind || got.Verified() {
			t.Errorf("%s: %s, and not %s: %v", name, got.Kind, c.kind, got.Faults())
		}
	}
}

// R45: a junk timestamp beside a log entry decides nothing, as in a bundle.
func TestOlderJunkTimestampBesideALogEntry(t *testing.T) {
	s := sigstoretest.New(t)
	payload, right := s.SignImageOlder(sigstoretest.Kora("1.4.0"), "ghcr.io/runkora/kora", image)
	right[evidence.TimestampAnnotation] = `{"SignedRFC3161Timestamp":"eHh4eA=="}`
	if got := under(t, s, policy.Options{}).Signature(byDigest(t, image), layer(payload, right)); !got.Verified() {
		t.Errorf("%+v", got)
	}
}

// R45: one good signature in either scheme is enough, and what lies beside it
// is told.
func TestOneGoodSignatureIsEnough(t *testing.T) {
	s := sigstoretest.New(t)
	payload, right := s.SignImageOlder(sigstoretest.Kora("1.4.0"), "ghcr.io/runkora/kora", image)
	foreign := s.SignImage(sigstoretest.GitHub("example/evil", ".github/workflows/x.yml", "refs/heads/main"), image)
	given := []evidence.Raw{{Name: "junk", Bytes: []byte("x")}, {Name: "foreign", Bytes: foreign}}
	for range 80 {
		given = append(given, evidence.Raw{Name: "foreign", Bytes: foreign})
	}
	got := under(t, s, policy.Options{}).Signature(byDigest(t, image), append(given, layer(payload, right)...))
	if !got.Verified() || len(got.Signers) != 1 || len(got.Reasons) != 82 || len(got.Faults()) != 0 {
		t.Errorf("%d signers, %d reasons: %v", len(got.Signers), len(got.Reasons), got.Faults())
	}
	got = under(t, s, policy.Options{}).Signature(byDigest(t, image), given)
	if got.Kind != verify.NoneMatches || len(got.Faults()) != 82 {
		t.Errorf("without the good one: %s, %d faults", got.Kind, len(got.Faults()))
	}
}

// R45: attestations of the older scheme.
func TestOlderAttestations(t *testing.T) {
	s := sigstoretest.New(t)
	v := under(t, s, policy.Options{})
	statement := sigstoretest.StatementOf("https://in-toto.io/Statement/v0.1", evidence.ProvenanceV0, sigstoretest.ProvenanceV02("runkora/kora", ".github/workflows/release.yml", "refs/tags/v1.4.0"), image)
	data, annotations := s.AttestImageOlder(sigstoretest.Kora("1.4.0"), statement)
	att := func(data []byte) []evidence.Raw {
		return []evidence.Raw{{Name: "layer", Format: evidence.OldEnvelope, Bytes: data, Annotations: annotations}}
	}
	if got := v.Provenance(byDigest(t, image), att(data)); !got.Verified() {
		t.Fatalf("%+v", got)
	}
	if got := v.Signature(byDigest(t, image), att(data)); got.Verified() {
		t.Error("an attestation is taken for a signature")
	}
	if got := v.Provenance(byDigest(t, strings.Replace(image, "1", "2", 1)), att(data)); got.Verified() {
		t.Error("accepted for another image")
	}
	var envelope map[string]any
	if err := json.Unmarshal(data, &envelope); err != nil {
		t.Fatal(err)
	}
	envelope["signatures"] = append(envelope["signatures"].([]any), map[string]any{"sig": "eA==", "keyid": ""})
	two, err := json.Marshal(envelope)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Provenance(byDigest(t, image), att(two)); got.Kind != verify.BadEvidence {
		t.Errorf("two signatures: %s", got.Kind)
	}
}
