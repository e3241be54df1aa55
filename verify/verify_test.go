package verify_test

import (
	"testing"

	bundlepb "github.com/sigstore/protobuf-specs/gen/pb-go/bundle/v1"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/roots"
	"github.com/runkora/kora/verify/sigstoretest"
)

// under makes a verifier of kora's releases under an instance's trust root.
func under(t testing.TB, s *sigstoretest.Sigstore, o policy.Options) *verify.Verifier {
	t.Helper()
	trusted, found := roots.Parse("trusted_root.json", s.TrustedRoot())
	if found.Refused() {
		t.Fatal(found)
	}
	return with(t, o, trusted...)
}

func with(t testing.TB, o policy.Options, trusted ...roots.Root) *verify.Verifier {
	t.Helper()
	p, found := policy.New(o)
	if found.Refused() {
		t.Fatal(found)
	}
	v, err := verify.New(p, trusted)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func bundleOf(data []byte) []evidence.Raw {
	return []evidence.Raw{{Name: "x.sigstore.json", Bytes: data}}
}

// R45, R46: every form that the public tools write is accepted.
func TestAcceptsASignatureInEveryForm(t *testing.T) {
	s := sigstoretest.New(t)
	v := under(t, s, policy.Options{})
	data := []byte("a chart")
	a := verify.ByBytes("kora-1.4.0.tgz", data)
	for name, shape := range map[string]sigstoretest.Shape{
		"bundle v0.1":                       {Version: "0.1"},
		"bundle v0.2":                       {Version: "0.2"},
		"bundle v0.3":                       {},
		"promise alone, v0.1":               {Version: "0.1", NoProof: true},
		"proof and timestamp":               {NoPromise: true, Timestamp: true},
		"promise, proof and timestamp":      {Timestamp: true},
		"second log with a timestamp":       {Rekor2: true, Timestamp: true},
		"second log with a timestamp, v0.2": {Rekor2: true, Timestamp: true, Version: "0.2"},
		"media type in the older spelling": {Edit: func(b *bundlepb.Bundle) {
			b.MediaType = "application/vnd.dev.sigstore.bundle+json;version=0.3"
		}},
		"certificate at the end of its hours": {CertificateFrom: sigstoretest.Now.Add(-10 * 60 * 1e9)},
	} {
		t.Run(name, func(t *testing.T) {
			got := v.Signature(a, bundleOf(s.SignBlob(sigstoretest.Kora("1.4.0"), data, shape)))
			if !got.Verified() {
				t.Fatalf("blob: %+v", got)
			}
			got = v.Signature(a, bundleOf(s.SignImage(sigstoretest.Kora("1.4.0"), a.Digest(), shape)))
			if !got.Verified() {
				t.Fatalf("statement: %+v", got)
			}
		})
	}
}
