package verify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/report"
)

var kinds = []verify.Kind{verify.NotSigned, verify.NoneMatches, verify.BadEvidence, verify.CouldNotCheck}

// R49: whatever lies beside an artifact, its mark, its count and its faults say
// the same, however its kind came about.
func TestOneOutcome(t *testing.T) {
	for mix := range 1 << len(kinds) {
		for _, signers := range [][]verify.Signer{nil, {{Identity: "somebody"}}} {
			var reasons []verify.Reason
			for i, k := range kinds {
				if mix&(1<<i) != 0 {
					reasons = append(reasons, verify.Reason{Evidence: fmt.Sprint(i), Kind: k, Message: "said"})
				}
			}
			concluded := verify.Verdict{Artifact: "a", Signers: signers, Reasons: reasons}
			concluded.Conclude()
			agreed(t, concluded)
			for _, k := range append(kinds, verify.Verified, "") {
				agreed(t, verify.Verdict{Artifact: "a", Kind: k, Signers: signers, Reasons: reasons})
			}
		}
	}
}

func agreed(t *testing.T, v verify.Verdict) {
	t.Helper()
	r := verify.NewReport(v)
	refuses, unchecked := judgedBy(v.Faults())
	mark := strings.Fields(report.Text(r))[0]
	got := fmt.Sprintf("%s %d/%d/%d %t", mark, r.Verified, r.Refused, r.Unchecked, refuses)
	want := map[verify.Outcome]string{verify.Passed: "✓ 1/0/0 false", verify.Refused: "✗ 0/1/0 true", verify.Unchecked: "? 0/0/1 false"}[v.Outcome()]
	if got != want || v.Outcome() == verify.Unchecked && !unchecked || v.Verified() != (v.Outcome() == verify.Passed) {
		t.Errorf("%s, and not %s: %+v\n%v", got, want, v, v.Faults())
	}
	if v.Verified() && (v.Kind != verify.Verified || len(v.Signers) == 0 || len(v.Faults()) > 0) {
		t.Errorf("verified: %+v", v)
	}
}

// judgedBy reports whether faults refuse, and whether any could not be checked.
func judgedBy(all faults.List) (refuses, unchecked bool) {
	for _, f := range all {
		refuses = refuses || f.Severity == faults.Error && !f.Code.Unchecked()
		unchecked = unchecked || f.Severity == faults.Error && f.Code.Unchecked()
	}
	return refuses, unchecked
}

// R49: what was wrong before anything was asked is refused when one of its
// faults refuses; what is wrong with the run refuses no artifact.
func TestUnjudged(t *testing.T) {
	refused, open := faults.New(faults.BadDigest, "wrong"), faults.New(faults.FileMissing, "not there")
	warning := faults.New(faults.NamedTwice, "twice")
	for _, tt := range []struct {
		found faults.List
		want  verify.Outcome
	}{
		{faults.List{refused}, verify.Refused}, {faults.List{open}, verify.Unchecked}, {faults.List{open, refused}, verify.Refused},
		{faults.List{warning, open}, verify.Unchecked}, {faults.List{refused, warning}, verify.Refused},
	} {
		if got := verify.Unjudged("a", "", tt.found); got.Outcome() != tt.want {
			t.Errorf("%v: %+v", tt.found, got)
		}
		if got := verify.Unreached("a", "", tt.found); got.Outcome() != verify.Unchecked || len(got.Reasons) != len(verify.Unjudged("a", "", tt.found).Reasons) {
			t.Errorf("%v: %+v", tt.found, got)
		}
		agreed(t, verify.Unjudged("a", "", tt.found))
		agreed(t, verify.Unreached("a", "", tt.found))
	}
}
