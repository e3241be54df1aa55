package faults

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seed gives a fuzzer the forms that the tests know.
func seed(f *testing.F) {
	for _, x := range append(sample(), Fault{}) {
		f.Add(string(x.Code), string(x.Severity), x.File, x.Line, x.Column, x.Object, x.Message, x.Found, x.Source)
	}
	f.Add("\x1b[0m", "warning\n", "--set \u2066", -1, 1<<30, "\u009b", "\ud7ff\uffff", "\n\n\t", strings.Repeat("\u2029日\t", 99))
}

func fuzzed(code, severity, file string, line, column int, object, message, found, source string) Fault {
	return Fault{
		Code: Code(code), Severity: Severity(severity), File: file, Line: line, Column: column, Source: source,
		Object: object, Field: object, Key: file, Message: message, Found: found, Expected: found, Fix: message,
	}
}

// quiet fails when a terminal could be driven by out; text keeps the tabs of
// a source line, and nothing but them, behind the gutter.
func quiet(t *testing.T, out []byte) {
	t.Helper()
	for line := range strings.SplitSeq(string(out), "\n") {
		gutter := strings.Index(line, " | ")
		for i, r := range line {
			tab := r == '\t' && gutter >= 0 && i > gutter
			if !strconv.IsPrint(r) && !tab || strings.HasPrefix(line[i:], "\xff") {
				t.Fatalf("%U in %q", r, line)
			}
		}
	}
}

func FuzzTextNeverDrivesTheTerminal(f *testing.F) {
	seed(f)
	ours := regexp.MustCompile(`(?m)^\x1b\[1;3[13]m(error|warning)\x1b\[0m:`)
	f.Fuzz(func(t *testing.T, code, severity, file string, line, column int, object, message, found, source string) {
		list := List{fuzzed(code, severity, file, line, column, object, message, found, source)}
		plain := printed(t, FormatText, Options{}, list)
		quiet(t, plain)
		colored := printed(t, FormatText, Options{Color: true}, list)
		if n := len(ours.FindAll(colored, -1)); n != 1 {
			t.Errorf("%d headlines in %q", n, colored)
		}
		quiet(t, ours.ReplaceAll(colored, []byte("$1:")))
	})
}

func FuzzJSONDecodesBackEqual(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, code, severity, file string, line, column int, object, message, found, source string) {
		list := List{fuzzed(code, severity, file, line, column, object, message, found, source)}
		out := printed(t, FormatJSON, Options{}, list)
		quiet(t, bytes.ReplaceAll(out, []byte(" | "), nil))
		var got report
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		want := report{1, asDecoded(list), list.Errors(), list.Warnings()}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func FuzzReportsForMachinesAreValid(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, code, severity, file string, line, column int, object, message, found, source string) {
		list := List{fuzzed(code, severity, file, line, column, object, message, found, source)}
		assertSARIF(t, printed(t, FormatSARIF, Options{}, list))
		out := printed(t, FormatJUnit, Options{}, list)
		quiet(t, out)
		var suites junitSuites
		if err := xml.Unmarshal(out, &suites); err != nil || len(suites.Suite.Cases) != 1 {
			t.Fatalf("%v: %+v", err, suites)
		}
	})
}
