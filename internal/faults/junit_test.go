package faults

import (
	"encoding/xml"
	"testing"
)

func TestJUnitFailsForErrorsAndNotesWarnings(t *testing.T) {
	out := printed(t, FormatJUnit, Options{}, sample())
	golden(t, "junit", out)
	suite := suiteOf(t, out)
	if suite.Name != "kora" || suite.Tests != 5 || suite.Failures != 4 || suite.Errors != 0 {
		t.Errorf("suite %q: %d tests, %d failures, %d errors", suite.Name, suite.Tests, suite.Failures, suite.Errors)
	}
	for _, c := range suite.Cases {
		if passed := c.Failure == nil; passed != (c.Out != "") {
			t.Errorf("%s: passed %v with output %q", c.Name, passed, c.Out)
		}
	}
}

func TestJUnitWithoutFaultsIsOneTestThatPassed(t *testing.T) {
	out := printed(t, FormatJUnit, Options{}, nil)
	golden(t, "junit-empty", out)
	suite := suiteOf(t, out)
	if len(suite.Cases) != 1 || suite.Tests != 1 || suite.Failures != 0 || suite.Cases[0].Failure != nil {
		t.Errorf("suite %+v", suite)
	}
}

func suiteOf(t *testing.T, out []byte) junitSuite {
	t.Helper()
	var suites junitSuites
	if err := xml.Unmarshal(out, &suites); err != nil {
		t.Fatal(err)
	}
	return suites.Suite
}
