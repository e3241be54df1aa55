package verify_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/report"
)

// R49: no report holds a character that is not seen, that a terminal obeys or
// that turns the direction; the JSON form means the same as before.
func TestReportsShowWhatTheyHold(t *testing.T) {
	name := "a"
	for _, r := range "\u200b\ufeff\u00ad\u009b\u202e\u2066\u200d\u2028\x1b\x7f\u00a0\U000e0041" {
		name += string(r) + "b"
	}
	r := verify.NewReport(verify.Verdict{Artifact: name, Kind: verify.NotSigned, Reasons: []verify.Reason{{Evidence: name, Message: name, Fix: name}}})
	text, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{string(text), report.Text(r)} {
		for _, c := range out {
			if c != '\n' && !strconv.IsPrint(c) {
				t.Errorf("%U stands in\n%q", c, out)
			}
		}
	}
	var back verify.Report
	if err := json.Unmarshal(text, &back); err != nil || back.Artifacts[0].Artifact != name || back.Artifacts[0].Reasons[0].Message != name {
		t.Errorf("%v: %q", err, back.Artifacts[0].Artifact)
	}
	if !strings.Contains(report.Text(r), "b\uFFFDb") {
		t.Errorf("nothing shows where something was: %q", report.Text(r))
	}
}
