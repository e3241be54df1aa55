package report

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/policy"
)

func verdict(name string, kind verify.Kind) verify.Verdict {
	v := verify.Verdict{Artifact: name, Digest: "sha256:" + strings.Repeat("a", 64), Kind: kind, Resolved: &verify.Resolved{What: "image", Index: true}}
	switch kind {
	case verify.Verified:
		v.Signers = []verify.Signer{{Evidence: "referrer", Identity: "me"}}
	case verify.CouldNotCheck:
		v.Digest = ""
	}
	return v
}

// R49: every artifact has its line, and what was not verified is never called so.
func TestTheTextCountsAndMarks(t *testing.T) {
	r := verify.NewReport(verdict("a", verify.Verified), verdict("b", verify.NotSigned), verdict("c", verify.CouldNotCheck))
	lines := strings.Split(strings.TrimSpace(Text(r)), "\n")
	if len(lines) != 4 || lines[3] != "1 of 3 verified, 1 refused, 1 could not be checked" {
		t.Fatalf("%q", lines)
	}
	for i, mark := range []string{"✓ a ", "✗ b ", "? c "} {
		if !strings.HasPrefix(lines[i], mark) || i > 0 && strings.Contains(lines[i], "verified") {
			t.Errorf("%q does not begin with %q, or says verified", lines[i], mark)
		}
	}
	if !strings.Contains(lines[0], "an index") {
		t.Errorf("%q does not say that it is an index", lines[0])
	}
}

// R49: a summary says passed only of a run in which everything was.
func TestTheSummaryOfARun(t *testing.T) {
	s := Summarized{Version: "1.4.0", Time: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), Resource: "images.txt", Policy: policy.Options{Identity: "me"}}
	for _, tt := range []struct {
		kinds  []verify.Kind
		result string
		err    error
	}{
		{[]verify.Kind{verify.Verified, verify.Verified}, "PASSED", nil},
		{[]verify.Kind{verify.Verified, verify.NotSigned}, "FAILED", nil},
		{[]verify.Kind{verify.NotSigned, verify.CouldNotCheck}, "FAILED", nil},
		{[]verify.Kind{verify.Verified, verify.CouldNotCheck}, "", ErrUnchecked},
	} {
		var all []verify.Verdict
		for i, k := range tt.kinds {
			all = append(all, verdict(string(rune('a'+i)), k))
		}
		text, err := VSA(verify.NewReport(all...), s)
		if !errors.Is(err, tt.err) {
			t.Errorf("%v: %v", tt.kinds, err)
		}
		if tt.err != nil {
			continue
		}
		var got statement
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		p := got.Predicate
		if got.PredicateType != summaryType || got.Type != statementType || p.Result != tt.result || p.TimeVerified != "2026-01-31T12:00:00Z" || p.ResourceURI != "images.txt" || p.Policy.Annotations["identity"] != "me" {
			t.Errorf("%v: %s", tt.kinds, text)
		}
		if (p.Levels[0] == "FAILED") != (p.Result == "FAILED") {
			t.Errorf("%v: levels %v", tt.kinds, p.Levels)
		}
	}
	if _, err := VSA(verify.NewReport(), s); err == nil {
		t.Error("a summary of nothing")
	}
}
