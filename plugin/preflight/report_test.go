package preflight

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"unicode"

	engine "github.com/runkora/kora/operator/preflight"
)

// hostile is what a label of a cluster may hold.
const hostile = "a\u202eb\u2028c\u200bd\x1b[31me\u009bf\U000e0041g\xffh"

func outcomes(states ...engine.State) []engine.Outcome {
	var out []engine.Outcome
	for _, s := range states {
		o := engine.Outcome{ID: "check", Category: "some", Why: "why", State: s}
		if s != engine.Passed && s != engine.Skipped {
			o.Findings = []engine.Finding{{State: s, Message: hostile, Object: hostile, Field: hostile, Found: hostile, Expected: hostile, Fix: hostile}}
		}
		out = append(out, o)
	}
	return out
}

// R55, security: nothing of what a cluster says drives a terminal or hides in a
// line, in any format.
func TestNoFormatPrintsWhatNobodySees(t *testing.T) {
	for _, format := range Formats() {
		r := NewReport("1.4.0", false, outcomes(engine.Failed, engine.Warned, engine.Unchecked))
		r.Look = Look{Bundle: hostile, Context: hostile, Namespace: hostile}
		text, err := r.Print(format)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range string(text) {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%s prints %U", format, r)
			}
		}
		if !strings.Contains(strings.ToLower(string(text)), `\u202e`) {
			t.Errorf("%s does not show what was there:\n%s", format, text)
		}
	}
}

// R55: a machine reads what was said, character by character.
func TestJSONKeepsEveryCharacter(t *testing.T) {
	text, err := NewReport("1.4.0", false, outcomes(engine.Failed)).Print("json")
	if err != nil {
		t.Fatal(err)
	}
	var got Report
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if want := strings.ToValidUTF8(hostile, "\ufffd"); got.Checks[0].Findings[0].Found != want {
		t.Errorf("%q, want %q", got.Checks[0].Findings[0].Found, want)
	}
}

// R55: junit says what the exit status says, for each way in which a run ends.
func TestJUnitSaysWhatTheStatusSays(t *testing.T) {
	unmet := engine.Outcome{ID: "x", State: engine.Skipped, BlockedBy: []string{"y"}, Unmet: true}
	for name, c := range map[string]struct {
		strict             bool
		all                []engine.Outcome
		refused, undecided bool
	}{
		"good":             {false, outcomes(engine.Passed, engine.Skipped), false, false},
		"a warning":        {false, outcomes(engine.Passed, engine.Warned), false, false},
		"a strict warning": {true, outcomes(engine.Passed, engine.Warned), true, false},
		"a failure":        {false, outcomes(engine.Passed, engine.Failed), true, false},
		"unread":           {false, outcomes(engine.Passed, engine.Unchecked), false, true},
		"left out":         {false, append(outcomes(engine.Passed), unmet), false, true},
		"nothing":          {false, outcomes(engine.Skipped), false, true},
		"no check at all":  {false, nil, false, true},
	} {
		r := NewReport("1.4.0", c.strict, c.all)
		if r.Refused() != c.refused || r.Undecided() != c.undecided {
			t.Errorf("%s: refused %t, undecided %t", name, r.Refused(), r.Undecided())
		}
		text, err := r.Print("junit")
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Tests    int        `xml:"tests,attr"`
			Failures int        `xml:"failures,attr"`
			Errors   int        `xml:"errors,attr"`
			Cases    []struct{} `xml:"testcase"`
		}
		if err := xml.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		if s.Tests != len(s.Cases) || (s.Failures > 0) != c.refused || (s.Errors > 0) != c.undecided {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// R55: a report says in every format which cluster and namespace it is of, also where
// all is well.
func TestAReportNamesTheCluster(t *testing.T) {
	r := NewReport("1.4.0", false, outcomes(engine.Passed))
	r.Look = Look{Context: "prod", Server: "https://a:6443", Namespace: "kora-mine"}
	for format, want := range map[string]string{
		"text":  "context:   prod\nserver:    https://a:6443\nnamespace: kora-mine\nsome\n",
		"json":  `"server": "https://a:6443"`,
		"junit": `<property name="server" value="https://a:6443"></property>`,
	} {
		text, err := r.Print(format)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{want, "prod", "kora-mine"} {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s: no %q in\n%s", format, part, text)
			}
		}
	}
}
