package preflight

import (
	"encoding/xml"
	"strings"

	"github.com/runkora/kora/operator/preflight"
)

type suite struct {
	XMLName  xml.Name   `xml:"testsuite"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Look     []property `xml:"properties>property"`
	Cases    []testcase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
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

// junit says what the exit status says: a warning passes, with its words beside
// it, or fails under --strict; what was asked for and not looked at is an error.
func (r Report) junit() ([]byte, error) {
	s := suite{Name: "kora preflight"}
	for _, p := range r.Look.parts() {
		s.Look = append(s.Look, property{p[0], Plain(p[1])})
	}
	for _, o := range r.Checks {
		s.add(r.testcase(o))
	}
	if r.nothing() && r.Unmet == 0 {
		s.add(testcase{Class: "preflight", Name: "checked", Error: &because{Message: "nothing was checked"}})
	}
	text, err := xml.MarshalIndent(s, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

func (s *suite) add(c testcase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func (r Report) testcase(o preflight.Outcome) testcase {
	var words strings.Builder
	for _, f := range o.Findings {
		finding(&words, f)
	}
	c := testcase{Class: o.Category, Name: o.ID}
	why := &because{Message: Plain(strings.TrimPrefix(aside(o), ": ")), Text: words.String()}
	if len(o.Findings) > 0 {
		why.Message = Plain(o.Findings[0].Message)
	}
	switch {
	case o.State == preflight.Failed, o.State == preflight.Warned && r.Strict:
		c.Failure = why
	case o.State == preflight.Unchecked, o.Unmet:
		c.Error = why
	case o.State == preflight.Skipped:
		c.Skipped = why
	case o.State == preflight.Warned:
		c.Out = words.String()
	}
	return c
}
