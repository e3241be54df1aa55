package source

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// broken are documents that are no YAML, with the place that a person would
// point at. The parser's own message names but a line, and often another one.
var broken = []struct{ text, at string }{
	// What stands in the wrong column.
	{"a:\n    name: b\n   spec:\n    x: y\n", "3:4"},
	{"a:\n  name: b\n   spec:\n    x: y\n", "3:4"},
	{"a:\n  name: b\n spec:\n    x: y\n", "3:2"},
	{"a: 1\n b: 2\n", "2:2"},
	{"a: 'b'\n  c: d\n", "2:3"},
	{"a: b #c\n d: e\n", "2:2"},
	{"- a\nb: c\n", "2:1"},
	{"b: c\n- a\n", "2:1"},
	{"a:\n  - b\n  c: d\n", "3:3"},
	{"a:\n  c: d\n  - b\n", "3:3"},
	{"a: - b\n", "1:4"},
	{"a:\n  b: |\n    x\n   y\n", "4:4"},
	// Tabs.
	{"a:\n\tb: 1\n", "2:1"},
	{"a:\n  \tb: 1\n", "2:3"},
	{"a:\n  b: 1\n\tc: 2\n", "3:1"},
	{"a:\n  - b\n\t- c\n", "3:1"},
	// Keys and colons.
	{"a:\n  name: a: b\n", "2:10"},
	{"a: b\n---\nc: d: e\n", "3:5"},
	{"a: 1\nb\nc: 2\n", "2:1"},
	{"a: 1\nb\n", "2:1"},
	{"a:b\nc: d\n", "1:1"},
	{"a: 1\nx:\n  b:c\n  d: e\n", "3:3"},
	{"é: 'x' y\n", "1:8"},
	{"a: {b}: c\n", "1:7"},
	// Brackets.
	{"a: b\nc: {name: a\nspec: b\n", "2:4"},
	{"a: {name: a,\nspec: b\nc: d\n", "1:4"},
	{"a: [b, c\n", "1:4"},
	{"a: {b: 1\n", "1:4"},
	{"a: [b, c}\n", "1:9"},
	{"a: [b]]\n", "1:7"},
	{"a: {b: c d: e}\n", "1:11"},
	{"a: [\n  b,\n  c}\n", "3:4"},
	{"a: [,]\n", "1:5"},
	{"a: ]\n", "1:4"},
	// Quotes and escapes.
	{"a: \"x\nb: c\nd: e\n", "1:4"},
	{"a: 1\nb: 'x\nb: c\n", "2:4"},
	{"a: 'it's'\n", "1:8"},
	{`a: "x\qy"` + "\n", "1:6"},
	{"patch: \"[{\"op\": 1}]\"\n", "1:15"},
	// Anchors, tags and characters that YAML keeps.
	{"a:\n  b:\n    name: *x\n", "3:11"},
	{"a: [1, *x, 2]\n", "1:8"},
	{"a: *\n", "1:4"},
	{"a: @x\n", "1:4"},
	{"a: %x\n", "1:4"},
	{"a: !x!y z\n", "1:4"},
	{"a: |x\n  b\n", "1:5"},
	{"a: b\nc: \x01\n", "2:4"},
	{"a: {{ .Values.x }}-b\n", "1:19"},
}

// R13, R20: "not YAML" points at what is to be mended, and says how.
func TestSyntaxFaultPointsAtTheMistake(t *testing.T) {
	for _, c := range broken {
		f := syntaxFault(t, NewFile("a.yaml", c.text))
		if at := fmt.Sprintf("%d:%d", f.Line, f.Column); at != c.at {
			t.Errorf("%q at %s, want %s: %s", c.text, at, c.at, f.Message)
		}
	}
}

// R13: the same inside a block, and inside a quoted text, at its place there.
func TestSyntaxFaultInsideAPatchPointsIntoTheFile(t *testing.T) {
	for _, c := range broken {
		if strings.ContainsAny(c.text, "\x01") {
			continue // the outer document is refused for it
		}
		var line, column int
		fmt.Sscanf(c.at, "%d:%d", &line, &column)
		block := "agents:\n  patch: |\n    " + strings.TrimSuffix(strings.ReplaceAll(c.text, "\n", "\n    "), "    ") + "  x: y\n"
		f := syntaxFault(t, Embed(parseOne(t, block).Get("agents").Get("patch"), ""))
		if f.Line != line+2 || f.Column != column+4 {
			t.Errorf("%q in a block at %d:%d, want %s moved by 2:4", c.text, f.Line, f.Column, c.at)
		}
		quoted, _ := json.Marshal(c.text)
		inner := NewFile("", c.text).offset(line, column)
		before, _ := json.Marshal(c.text[:inner])
		f = syntaxFault(t, Embed(parseOne(t, "patch: "+string(quoted)).Get("patch"), ""))
		if want := len([]rune(string(before))) + 7; f.Line != 1 || f.Column != want {
			t.Errorf("%s quoted at %d:%d, want 1:%d", quoted, f.Line, f.Column, want)
		}
	}
}

// R13: every refusal that reads "not YAML", or near it, says what to do.
func TestEverySyntaxFaultHasAFix(t *testing.T) {
	for _, text := range []string{"a: !secret x\n", "{a: b}: c\n", "a:\n  <<: x\n", "%YAML 9.9\n---\na\n", "%x\n", "a: |0\n b", "a: !<x\n", "a: \xff\n", "a: b\n...\nc: }\n", "%TAG ! a\n%TAG ! a\n---\na\n"} {
		syntaxFault(t, NewFile("a.yaml", text))
	}
}

func syntaxFault(t *testing.T, f *File) faults.Fault {
	t.Helper()
	_, found := Parse(f, DefaultLimits)
	if len(found) == 0 || found[0].Code != faults.YAMLSyntax || found[0].Fix == "" {
		t.Fatalf("%q: %+v", f.Text(), found)
	}
	return found[0]
}

// A library that keeps its places elsewhere costs their precision and no more.
func TestMarksOfAnotherLibraryAreUnknown(t *testing.T) {
	b := breach{file: NewFile("a", "a: 1\n  b\n"), message: "did not find expected key", line: 2}
	if line, column := b.place(); line != 2 || column != 3 {
		t.Errorf("at %d:%d", line, column)
	}
}
