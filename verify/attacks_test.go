package verify_test

import (
	"strings"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/attacks"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/roots"
	"github.com/runkora/kora/verify/sigstoretest"
)

// R45 to R48: every advisory and every trick has its verdict, for its reason.
func TestCases(t *testing.T) {
	for _, c := range attacks.Cases(sigstoretest.New(t)) {
		t.Run(c.Name, func(t *testing.T) { judged(t, c) })
	}
}

func judged(t *testing.T, c attacks.Case) {
	var trusted []roots.Root
	if !c.NoRoot {
		read, found := roots.Parse("trusted_root.json", c.Root)
		if found.Refused() {
			t.Fatal(found)
		}
		trusted = read
	}
	got := answer(with(t, c.Policy, trusted...), c)
	if got.Kind != c.Want || got.Verified() != (c.Want == verify.Verified) {
		t.Fatalf("%s, and not %s: %v", got.Kind, c.Want, got.Faults())
	}
	for _, r := range got.Reasons {
		if strings.Contains(r.Message+r.Fix, "%!") {
			t.Errorf("a message that was formatted wrongly: %+v", r)
		}
	}
	if c.Want != verify.Verified && (len(got.Signers) > 0 || !got.Faults().Refused()) {
		t.Errorf("refused, and yet: %+v", got)
	}
	if c.Want == verify.Verified {
		return
	}
	told := ""
	for _, f := range got.Faults() {
		told += f.Message + "\n"
		if f.Fix == "" {
			t.Errorf("no way out: %v", f)
		}
	}
	if !strings.Contains(told, c.Says) {
		t.Errorf("the reason does not say %q:\n%s", c.Says, told)
	}
}

func answer(v *verify.Verifier, c attacks.Case) verify.Verdict {
	a := verify.ByBytes("artifact", c.Artifact)
	if c.ByDigest {
		a, _ = verify.ByDigest("artifact", a.Digest())
	}
	raw := evidence.Raw{Name: "evidence", Bytes: c.Evidence}
	if c.Ask != attacks.File {
		raw.Format = evidence.Lines
	}
	switch c.Ask {
	case attacks.Attestation:
		return v.Attestation(a, []evidence.Raw{raw}, c.Type)
	case attacks.Provenance:
		return v.Provenance(a, []evidence.Raw{raw})
	}
	return v.Signature(a, []evidence.Raw{raw})
}
