package report

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/faults"
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

func summarized() Summarized {
	return Summarized{Version: "1.4.0", Time: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC), Policy: policy.Options{Identity: "me"}}
}

// summaries are the statements of a text, whose fields are those of the
// specification: what it requires is there.
func summaries(t *testing.T, text []byte) []statement {
	t.Helper()
	var out []statement
	for line := range strings.Lines(string(text)) {
		var s statement
		var raw struct {
			Predicate map[string]json.RawMessage `json:"predicate"`
		}
		if json.Unmarshal([]byte(line), &s) != nil || json.Unmarshal([]byte(line), &raw) != nil {
			t.Fatalf("no statement: %s", line)
		}
		for _, field := range []string{"verifier", "resourceUri", "policy", "verificationResult", "verifiedLevels"} {
			if len(raw.Predicate[field]) < 3 {
				t.Errorf("no %s in %s", field, line)
			}
		}
		if u, err := url.Parse(s.Predicate.ResourceURI); err != nil || u.Scheme == "" {
			t.Errorf("%q is no URI", s.Predicate.ResourceURI)
		}
		if s.Type != statementType || s.PredicateType != summaryType || len(s.Subject) != 1 || len(s.Subject[0].Digest["sha256"]) != 64 || len(s.Predicate.Policy.Digest["sha256"]) != 64 || s.Predicate.Verifier.ID == "" {
			t.Errorf("%s", line)
		}
		if (s.Predicate.Levels[0] == "FAILED") != (s.Predicate.Result == "FAILED") {
			t.Errorf("levels %v of %s", s.Predicate.Levels, s.Predicate.Result)
		}
		out = append(out, s)
	}
	return out
}

// R49: PASSED is said of a whole run alone, FAILED of what failed alone, and
// nothing is said where something could not be checked.
func TestTheSummaryOfARun(t *testing.T) {
	unchecked := faults.List{faults.New(faults.CouldNotCheck, "x")}
	for name, tt := range map[string]struct {
		kinds []verify.Kind
		found faults.List
		want  string // result and name of each statement
	}{
		"whole":                 {[]verify.Kind{verify.Verified, verify.Verified}, nil, "PASSED a PASSED b "},
		"one refused":           {[]verify.Kind{verify.Verified, verify.NotSigned}, nil, "FAILED b "},
		"refused and unchecked": {[]verify.Kind{verify.NotSigned, verify.CouldNotCheck}, nil, ""},
		"one unchecked":         {[]verify.Kind{verify.Verified, verify.CouldNotCheck}, nil, ""},
		"verified, and a fault": {[]verify.Kind{verify.Verified}, unchecked, ""},
		"nothing":               {nil, nil, ""},
	} {
		var all []verify.Verdict
		for i, k := range tt.kinds {
			all = append(all, verdict(string(rune('a'+i)), k))
		}
		text, _, err := VSA(tt.found, verify.NewReport(all...), summarized())
		if (err != nil) != (tt.want == "") || err != nil && text != nil {
			t.Errorf("%s: %v %s", name, err, text)
		}
		got := ""
		for _, s := range summaries(t, text) {
			got += s.Predicate.Result + " " + s.Subject[0].Name + " "
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// R49: a summary is about one resource, named by a URI that holds no path of
// the machine; the signature and the provenance of one file are one.
func TestResources(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	of := func(what, name string) verify.Verdict {
		v := verdict(name, verify.Verified)
		v.Resolved = &verify.Resolved{What: what}
		return v
	}
	bad := of("provenance", "/home/me/kora-1.4.0.tgz")
	bad.Kind, bad.Signers = verify.NotSigned, nil
	all := []verify.Verdict{
		of("chart", "oci://ghcr.io/a/charts/kora:1.4.0+x"), of("image", "ghcr.io/a/b@"+digest), of("image", "oci-layout:/home/me/mirror:1"), of("file", "/home/me/kora-1.4.0.tgz"),
	}
	text, _, err := VSA(nil, verify.NewReport(append(all, of("provenance", "/home/me/kora-1.4.0.tgz"))...), summarized())
	if err != nil || strings.Contains(string(text), "/home/me") {
		t.Fatalf("%v %s", err, text)
	}
	var uris []string
	for _, s := range summaries(t, text) {
		uris = append(uris, s.Predicate.ResourceURI)
	}
	want := []string{"oci://ghcr.io/a/charts/kora@" + digest, "oci://ghcr.io/a/b@" + digest, "pkg:oci/mirror@" + strings.Replace(digest, ":", "%3A", 1), "pkg:generic/kora-1.4.0.tgz?checksum=" + digest}
	if !slices.Equal(uris, want) {
		t.Errorf("%q", uris)
	}
	text, _, err = VSA(nil, verify.NewReport(append(all, bad)...), summarized())
	if failed := summaries(t, text); err != nil || len(failed) != 1 || failed[0].Predicate.Result != "FAILED" || failed[0].Subject[0].Name != "kora-1.4.0.tgz" {
		t.Errorf("%v %s", err, text)
	}
}

// R49: what was refused before its digest was known hides no failure of others,
// and is named; alone it allows no summary, and nothing passes beside it.
func TestTheSummaryBesideWhatHasNoDigest(t *testing.T) {
	bare := verdict("bare", verify.BadEvidence)
	bare.Digest = ""
	good, bad := verdict("good", verify.Verified), verdict("bad", verify.NotSigned)
	text, without, err := VSA(nil, verify.NewReport(good, bare, bad), summarized())
	if all := summaries(t, text); err != nil || len(all) != 1 || all[0].Predicate.Result != "FAILED" || all[0].Subject[0].Name != "bad" || !slices.Equal(without, []string{"bare"}) {
		t.Errorf("%v, without %q: %s", err, without, text)
	}
	if text, _, err := VSA(nil, verify.NewReport(good, bare), summarized()); err == nil || text != nil {
		t.Errorf("nothing that failed has a digest: %s", text)
	}
	unchecked := verdict("unchecked", verify.CouldNotCheck)
	if text, _, err := VSA(nil, verify.NewReport(bad, bare, unchecked), summarized()); err != ErrUnchecked || text != nil {
		t.Errorf("%v: %s", err, text)
	}
}

// R48, R49: a summary says under which trust roots it was verified, by their
// digests: the same policy under another root is another policy.
func TestTheSummaryNamesTheTrustRoots(t *testing.T) {
	policyOf := func(roots ...string) resource {
		s := summarized()
		s.Roots = roots
		text, _, err := VSA(nil, verify.NewReport(verdict("a", verify.Verified)), s)
		if err != nil {
			t.Fatal(err)
		}
		return summaries(t, text)[0].Predicate.Policy
	}
	none, one, two := policyOf(), policyOf("sha256:a"), policyOf("sha256:b", "sha256:a")
	if none.Annotations["trustRoot"] != "" || one.Annotations["trustRoot"] != "sha256:a" || two.Annotations["trustRoot"] != "sha256:a sha256:b" {
		t.Errorf("%v, %v, %v", none, one, two)
	}
	if none.Digest["sha256"] == one.Digest["sha256"] || one.Digest["sha256"] == two.Digest["sha256"] || policyOf("sha256:a", "sha256:b").Digest["sha256"] != two.Digest["sha256"] {
		t.Error("the digest of the policy does not tell its roots")
	}
}

// R49: there is one word for a whole run, and every way in which one is not.
func TestWhole(t *testing.T) {
	good, warning := verdict("a", verify.Verified), faults.List{faults.New(faults.NamedTwice, "x")}
	if !Whole(warning, verify.NewReport(good)) {
		t.Error("a warning refuses")
	}
	unsigned := good
	unsigned.Signers = nil // verified, it says, and by nobody
	miscounted := verify.NewReport(good, good)
	miscounted.Verified = 1
	cases := map[string]func() bool{
		"nothing":               func() bool { return Whole(nil, verify.Report{}) },
		"by nobody":             func() bool { return Whole(nil, verify.NewReport(unsigned)) },
		"a count that is wrong": func() bool { return Whole(nil, miscounted) },
		"a fault beside it":     func() bool { return Whole(faults.List{faults.New(faults.ChartShape, "x")}, verify.NewReport(good)) },
		"a fault unchecked":     func() bool { return Whole(faults.List{faults.New(faults.ChartSource, "x")}, verify.NewReport(good)) },
	}
	for _, k := range []verify.Kind{verify.NotSigned, verify.NoneMatches, verify.BadEvidence, verify.CouldNotCheck, ""} {
		cases["one that is "+string(k)] = func() bool { return Whole(nil, verify.NewReport(good, verdict("b", k))) }
	}
	for name, whole := range cases {
		if whole() {
			t.Errorf("%s: a whole run", name)
		}
	}
}
