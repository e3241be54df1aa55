package verify_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/roots"
	"github.com/runkora/kora/verify/sigstoretest"
)

// BenchmarkThirtyBundles is a release's files in one run: reading the trust
// root, then thirty bundles of thirty artifacts, offline.
func BenchmarkThirtyBundles(b *testing.B) {
	s := sigstoretest.New(b)
	root := s.TrustedRoot()
	var artifacts []verify.Artifact
	var given [][]evidence.Raw
	for i := range 30 {
		data := fmt.Appendf(nil, "artifact %d", i)
		artifacts = append(artifacts, verify.ByBytes(fmt.Sprint(i), data))
		given = append(given, bundleOf(s.SignBlob(sigstoretest.Kora("1.4.0"), data)))
	}
	b.ReportAllocs()
	for b.Loop() {
		trusted, found := roots.Parse("trusted_root.json", root)
		if found.Refused() {
			b.Fatal(found)
		}
		v, err := verify.New(policy.Kora(), trusted)
		if err != nil {
			b.Fatal(err)
		}
		for i := range artifacts {
			if got := v.Signature(artifacts[i], given[i]); !got.Verified() {
				b.Fatal(got.Faults())
			}
		}
	}
}
