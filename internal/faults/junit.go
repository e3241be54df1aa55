package faults

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
)

// junitPrinter writes a test report, which every CI system shows.
type junitPrinter struct {
	w     io.Writer
	found List
}

type junitSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suite   junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// Write keeps the fault for Flush and never fails.
func (p *junitPrinter) Write(f Fault) error {
	p.found = append(p.found, f)
	return nil
}

// Flush writes the report. Without faults it holds one test that passed: many
// readers take an empty suite for a run that never happened.
func (p *junitPrinter) Flush() error {
	suite := junitSuite{Name: "kora", Failures: p.found.Errors()}
	for _, f := range p.found {
		suite.Cases = append(suite.Cases, testCase(f))
	}
	if len(p.found) == 0 {
		suite.Cases = []junitCase{{Class: "kora", Name: "no faults"}}
	}
	suite.Tests = len(suite.Cases)
	out, err := xml.MarshalIndent(junitSuites{Suite: suite}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode faults: %w", err)
	}
	_, err = fmt.Fprintf(p.w, "%s%s\n", xml.Header, out)
	return err
}

// testCase fails for an error and passes, with a note, for a warning. All of
// its texts went through visible, which leaves no character that XML does not
// allow. The object is the class: some readers drop a second test of one class
// and name, and one line of a patch can be wrong in several objects.
func testCase(f Fault) junitCase {
	c := junitCase{Class: visible(cmp.Or(f.Object, "kora")), Name: visible(string(f.Code))}
	if where := visible(f.AtLine()); where != "" {
		c.Name = where + " " + c.Name
	}
	text := word(f.Severity) + headline(f) + "\n" + context(f)
	if f.Severity == Warning {
		c.Out = text
		return c
	}
	c.Failure = &junitFailure{visible(f.Message), visible(string(f.Code)), text}
	return c
}
