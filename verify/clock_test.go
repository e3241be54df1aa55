package verify_test

import (
	"testing"
	"time"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/roots"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R48: what a log or an authority says of the time cannot be later than now,
// but for clocks that differ a little.
func TestEvidenceOfTheFuture(t *testing.T) {
	s := sigstoretest.New(t)
	trusted, found := roots.Parse("trusted_root.json", s.TrustedRoot())
	if found.Refused() {
		t.Fatal(found)
	}
	a := verify.ByBytes("file", []byte("data"))
	for name, shape := range map[string]sigstoretest.Shape{"a log": {}, "a timestamp": {Rekor2: true, Timestamp: true}} {
		given := bundleOf(s.SignBlob(sigstoretest.Kora("1.4.0"), []byte("data"), shape))
		for ahead, want := range map[time.Duration]verify.Kind{
			-time.Hour: verify.Verified, 0: verify.Verified, 4 * time.Minute: verify.Verified,
			6 * time.Minute: verify.BadEvidence, 24 * time.Hour: verify.BadEvidence,
		} {
			v, err := verify.New(policy.Kora(), trusted, verify.WithClock(func() time.Time { return sigstoretest.Now.Add(-ahead) }))
			if err != nil {
				t.Fatal(err)
			}
			if got := v.Signature(a, given); got.Kind != want || len(got.Signers) > 0 && want != verify.Verified {
				t.Errorf("%s %v ahead: %s, and not %s: %v", name, ahead, got.Kind, want, got.Faults())
			}
		}
	}
}
