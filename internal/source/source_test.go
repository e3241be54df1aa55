package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

func parseOne(t *testing.T, text string) *Node {
	t.Helper()
	docs, found := Parse(NewFile("a.yaml", text), DefaultLimits)
	if len(found) > 0 || len(docs) != 1 {
		t.Fatalf("%d documents, faults %v", len(docs), found)
	}
	return docs[0]
}

// R13: whatever style a patch is written in, a place inside it is the place
// in the file. Every style holds the word "typo", which is looked up inside
// the embedded text and must be found there in the outer text.
func TestEmbeddedPlacesPointIntoTheOuterFile(t *testing.T) {
	for name, text := range map[string]string{
		"literal":             "patch: |\n  a:\n    b: 1\n    typo: 2\n",
		"literal strip":       "patch: |-\n\n  a: 1\n\n  typo: 2",
		"literal indicator":   "x:\n  patch: |2\n      a: 1\n      typo: 2\n",
		"literal in list":     "- patch: |2\n    a: 1\n    typo: 2\n",
		"literal after tag":   "patch: !!str |\n  a: 1\n  typo: 2\n",
		"literal crlf":        "patch: |\r\n  a: 1\r\n  typo: 2\r\n",
		"folded":              "patch: >\n  a:\n\n  b: 1\n\n  typo: 2\n",
		"folded more indent":  "patch: >\n  a:\n    b: 1\n    typo: 2\n",
		"double quoted":       `patch: "[{\"op\": \"add\",\n \t\"typo\": 1}]"`,
		"double with escapes": `patch: "\x41\u0042\U00000043é typo"`,
		"double over lines":   "patch: \"a\n  b\n\n  c \\\n  typo\"",
		"single quoted":       `patch: '[{''op'': ''add'', ''typo'': 1}]'`,
		"single over lines":   "patch: 'a\n\n\n  b typo'",
		"plain":               "patch: some typo",
		"plain over lines":    "patch: some\n  words\n\n  typo",
		"unicode before":      "patch: |\n  é: ü\n  ö typo: 1\n",
	} {
		t.Run(name, func(t *testing.T) {
			doc := parseOne(t, text)
			if doc.Kind == Sequence {
				doc = doc.Items[0]
			}
			if doc.Get("x") != nil {
				doc = doc.Get("x")
			}
			inner := Embed(doc.Get("patch"), "key")
			line, column := inner.place(strings.Index(inner.Text(), "typo"))
			pos := inner.At(line, column)
			outer := NewFile("", text)
			wantLine, wantColumn := outer.place(strings.Index(text, "typo"))
			if pos.Line != wantLine || pos.Column != wantColumn {
				t.Errorf("at %d:%d, want %d:%d in %q", pos.Line, pos.Column, wantLine, wantColumn, text)
			}
			if f := pos.Fault(faults.UnknownField, "x"); f.File != "a.yaml" || f.Key != "key" || !strings.Contains(f.Source, "typo") {
				t.Errorf("fault %+v", f)
			}
		})
	}
}

func TestTextOfItsOwnFileKeepsItsPlaces(t *testing.T) {
	f := NewFile("p.yaml", "a: 1\nb: 2\n")
	if pos := Embed(Text(f), "k").At(2, 1); pos.Line != 2 || pos.Column != 1 {
		t.Errorf("at %+v", pos)
	}
}

func TestParseReportsWhatItCannotTake(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		code faults.Code
		at   string
	}{
		"syntax":         {"a: 1\nb: [\n", faults.YAMLSyntax, "2:1"},
		"duplicate":      {"a: 1\nb: 2\na: 3\n", faults.YAMLDuplicate, "3:1"},
		"nested dup":     {"x:\n  - b: 2\n    b: 3\n", faults.YAMLDuplicate, "3:5"},
		"foreign tag":    {"a: !secret x\n", faults.YAMLSyntax, "1:4"},
		"map as key":     {"{a: b}: c\n", faults.YAMLSyntax, "1:1"},
		"self alias":     {"a: &x\n  b: *x\n", faults.YAMLLimit, "2:6"},
		"deep":           {strings.Repeat("[", 150) + strings.Repeat("]", 150), faults.YAMLLimit, "1:102"},
		"two merges":     {"a: &a {x: 1}\nb:\n  <<: *a\n  y: 2\n  <<: *a\n", faults.YAMLDuplicate, "5:3"},
		"merge of a str": {"a:\n  <<: x\n", faults.YAMLSyntax, "2:7"},
	} {
		t.Run(name, func(t *testing.T) {
			_, found := Parse(NewFile("a.yaml", c.text), DefaultLimits)
			if len(found) == 0 {
				t.Fatal("no fault")
			}
			if at := fmt.Sprintf("%d:%d", found[0].Line, found[0].Column); found[0].Code != c.code || at != c.at {
				t.Errorf("%s at %s, want %s at %s: %s", found[0].Code, at, c.code, c.at, found[0].Message)
			}
		})
	}
}

// security.md: alias bombs cost what the limits say, not what they expand to.
func TestAliasBombStops(t *testing.T) {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	docs, found := Parse(NewFile("bomb.yaml", b.String()), DefaultLimits)
	if docs != nil || len(found) != 1 || found[0].Code != faults.YAMLLimit {
		t.Errorf("%d documents, %v", len(docs), found)
	}
}

func TestAliasesAndMergesExpand(t *testing.T) {
	doc := parseOne(t, "a: &a {x: 1, y: 2}\nb:\n  <<: *a\n  y: 3\n")
	got := doc.Get("b").Any().(map[string]any)
	if got["x"] != int64(1) || got["y"] != int64(3) || len(got) != 2 {
		t.Errorf("got %v", got)
	}
}

func TestScalarsKeepTheirTypes(t *testing.T) {
	doc := parseOne(t, "[1, 1.5, true, null, on, '1', 0777, 0o17, 2020-01-01, 0x1F, ~]")
	want := []any{int64(1), 1.5, true, nil, "on", "1", int64(511), int64(15), "2020-01-01", int64(31), nil}
	for i, item := range doc.Items {
		if got := item.Any(); got != want[i] {
			t.Errorf("item %d: %#v, want %#v", i, got, want[i])
		}
	}
	if !doc.Items[4].AmbiguousBool() || doc.Items[5].AmbiguousBool() {
		t.Error("only the plain word on is ambiguous")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a: |\n  b: 1\n", "a: \"x\\n\"", "&a [*a]", "<<: [{a: 1}]", "a: >2\n   b", "- 'it''s'\n", "? a\n: b", "\"\\\n x\"", "%YAML 1.1\n---\n"} {
		f.Add(s)
	}
	for _, c := range broken {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		docs, found := Parse(NewFile("f", text), DefaultLimits)
		for _, x := range found {
			if x.Line < 1 || x.Column < 1 || x.Code == faults.YAMLSyntax && x.Fix == "" {
				t.Errorf("%+v", x)
			}
		}
		for _, d := range docs {
			walk(d, func(n *Node) {
				inner := Embed(n, "k")
				for line := 1; line <= len(inner.lines.starts); line++ {
					inner.At(line, 1).Fault(faults.YAMLSyntax, "")
				}
			})
		}
	})
}

func walk(n *Node, visit func(*Node)) {
	if n.Kind == Scalar {
		visit(n)
	}
	for _, f := range n.Fields {
		walk(f.Value, visit)
	}
	for _, item := range n.Items {
		walk(item, visit)
	}
}
