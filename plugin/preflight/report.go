package preflight

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/runkora/kora/operator/preflight"
)

// Report is what a run found, in the order of the checks.
type Report struct {
	Version   string              `json:"version"` // of kora
	Passed    int                 `json:"passed"`
	Warned    int                 `json:"warned"`
	Failed    int                 `json:"failed"`
	Unchecked int                 `json:"unchecked"`
	Skipped   int                 `json:"skipped"`
	Checks    []preflight.Outcome `json:"checks"`
}

// NewReport counts outcomes.
func NewReport(version string, all []preflight.Outcome) Report {
	r := Report{Version: version, Checks: all}
	for _, o := range all {
		switch o.State {
		case preflight.Passed:
			r.Passed++
		case preflight.Warned:
			r.Warned++
		case preflight.Failed:
			r.Failed++
		case preflight.Unchecked:
			r.Unchecked++
		case preflight.Skipped:
			r.Skipped++
		}
	}
	return r
}

// Formats are the ways in which a report is printed.
func Formats() []string { return []string{"text", "json", "junit"} }

// Print writes the report in a format of Formats.
func (r Report) Print(format string) ([]byte, error) {
	switch format {
	case "json":
		text, err := json.MarshalIndent(r, "", "  ")
		return append(text, '\n'), err
	case "junit":
		return r.junit()
	}
	return []byte(r.text()), nil
}

// marks stand at the front of a check's line.
var marks = map[preflight.State]string{
	preflight.Passed: "pass", preflight.Warned: "warn", preflight.Failed: "FAIL", preflight.Unchecked: "????", preflight.Skipped: "skip",
}

func (r Report) text() string {
	var b strings.Builder
	category := ""
	for _, o := range r.Checks {
		if o.Category != category {
			category = o.Category
			fmt.Fprintf(&b, "%s\n", category)
		}
		fmt.Fprintf(&b, "  %s  %s%s\n", marks[o.State], o.ID, aside(o))
		for _, f := range o.Findings {
			finding(&b, f)
		}
		if len(o.Findings) > 0 {
			fmt.Fprintf(&b, "        why:      %s\n", o.Why)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", r.Summary())
	return b.String()
}

func aside(o preflight.Outcome) string {
	switch {
	case len(o.BlockedBy) > 0:
		return ": blocked by " + strings.Join(o.BlockedBy, ", ")
	case o.Reason != "":
		return ": " + o.Reason
	}
	return ""
}

func finding(b *strings.Builder, f preflight.Finding) {
	fmt.Fprintf(b, "        %s\n", f.Message)
	for _, line := range [...][2]string{{"object", f.Object}, {"field", f.Field}, {"found", f.Found}, {"expected", f.Expected}, {"fix", f.Fix}} {
		if line[1] != "" {
			fmt.Fprintf(b, "        %-9s %s\n", line[0]+":", Plain(line[1]))
		}
	}
}

// Summary counts in one line: "21 passed, 1 failed, 2 skipped".
func (r Report) Summary() string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{r.Passed, "passed"}, {r.Warned, "warned"}, {r.Failed, "failed"}, {r.Unchecked, "could not be checked"}, {r.Skipped, "skipped"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(parts, ", ")
}

// Plain keeps what a cluster says on one line, without what a terminal obeys.
func Plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return -1
		}
		return r
	}, text)
}

type suite struct {
	XMLName  xml.Name   `xml:"testsuite"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Cases    []testcase `xml:"testcase"`
}

type testcase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Failure *because `xml:"failure"`
	Error   *because `xml:"error"`
	Skipped *because `xml:"skipped"`
	Out     string   `xml:"system-out,omitempty"`
}

type because struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit has a warning pass, with its words beside it: a test report knows no more.
func (r Report) junit() ([]byte, error) {
	s := suite{Name: "kora preflight", Tests: len(r.Checks), Failures: r.Failed, Errors: r.Unchecked, Skipped: r.Skipped}
	for _, o := range r.Checks {
		var words strings.Builder
		for _, f := range o.Findings {
			finding(&words, f)
		}
		c := testcase{Class: o.Category, Name: o.ID}
		why := &because{Message: strings.TrimPrefix(aside(o), ": "), Text: words.String()}
		if len(o.Findings) > 0 {
			why.Message = o.Findings[0].Message
		}
		switch o.State {
		case preflight.Failed:
			c.Failure = why
		case preflight.Unchecked:
			c.Error = why
		case preflight.Skipped:
			c.Skipped = why
		case preflight.Warned:
			c.Out = words.String()
		}
		s.Cases = append(s.Cases, c)
	}
	text, err := xml.MarshalIndent(s, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}
