package faults

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares what was printed with testdata/NAME.golden.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got), -update writes it anew:\n%s", path, diff)
	}
}

// printed returns what a list looks like in a format.
func printed(t *testing.T, format Format, o Options, list List) []byte {
	t.Helper()
	var out bytes.Buffer
	p, err := NewPrinter(format, &out, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Print(p); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// build is New with the rest filled in.
func build(code Code, message string, rest Fault) Fault {
	f := New(code, message)
	rest.Code, rest.Severity, rest.Message = f.Code, f.Severity, f.Message
	return rest
}

// sample holds one fault of each form: full, on a flag, without a place, a
// warning, and one whose every text tries to drive the terminal.
func sample() List {
	return List{
		build(Protected, "the pod's security context stays with the platform", Fault{
			File: "patches/50 root.yaml", Key: "agents.manifestPatches.50 root", Line: 14, Column: 11,
			Object: "StatefulSet agent-coder", Field: "spec.template.spec.securityContext.runAsUser",
			Found: "0", Expected: "100", Fix: "remove the field from the patch",
			Source: "          runAsUser: 0",
		}),
		build(BadSet, "an assignment without a value", Fault{
			File: "--set agents.workspace.size", Column: 27, Source: "agents.workspace.size",
			Expected: "key=value", Fix: "write --set agents.workspace.size=10Gi",
		}),
		build(SplitPlacement, "the sandbox would wait for ever", Fault{
			Found: "disktype: ssd\ndisktype: hdd", Fix: "give both the same node selector",
		}),
		build(MatchesNothing, "the patch matches no object", Fault{
			File: "patches/60-a.yaml", Key: "agents.manifestPatches.60-a", Line: 2, Column: 3,
			Source: "\tname: 日本 agent-codr",
		}),
		build(UnknownField, "unknown field \x1b[2J \u202egnp.exe", Fault{
			File: "patches/70-\x1b]0;owned\a.yaml", Line: 3, Column: 5, Object: "Pod\x00",
			Field: "spec.\u200bhost", Found: "a\r\nerror: b", Fix: "[click](https://x.example) <b>",
			Source: "\xff\x9b1m日: \u2028x",
		}),
	}
}

func TestUnknownFormatIsRefusedWithTheKnownOnes(t *testing.T) {
	_, err := NewPrinter("yaml", &bytes.Buffer{}, Options{})
	if err == nil || err.Error() != `no format "yaml" for faults: use one of text, json, sarif, junit` {
		t.Errorf("error %v", err)
	}
}

// R15: all of them, in an order that does not depend on who found them first,
// and each once.
func TestPrintShowsEveryFaultOnceInOrder(t *testing.T) {
	list := sample()
	doubled := append(List{list[3], list[4]}, append(list, list...)...)
	for _, format := range Formats() {
		want := printed(t, format, Options{}, list)
		got := printed(t, format, Options{}, doubled)
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-once +doubled):\n%s", format, diff)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestPrintReportsABrokenStream(t *testing.T) {
	for _, format := range Formats() {
		p, err := NewPrinter(format, broken{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := sample().Print(p); err == nil {
			t.Errorf("%s: no error", format)
		}
	}
}
