package values

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// R20: a key that stands twice in an object of a --set-json is a fault at the flag,
// wherever the object is; what only looks so is none.
func TestKeysTwiceInJSONAreFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"a":2}`:                         "a",
		`{"a":{"b":1,"b":1}}`:                   "a.b",
		`a={"b":1,"b":2}`:                       "a.b",
		`a.c={"x":[{"b":1},{"b":1,"b":2}]}`:     "a.c.x[1].b",
		`a=1,b={"c":1,"c":2},d={"e":1}`:         "b.c",
		`a={"b":1,"b":2,"b":3},d={"e":1,"e":2}`: "a.b a.b d.e",
		`a\=b={"c":1,"c":2}`:                    `a\=b.c`,
		`a={"x=y":1,"z":{"c":1,"c":2}}`:         "a.z.c",
		`a={"b":1,"\u0062":2}`:                  "a.b",
		`a={"b.c":1,"b.c":2}`:                   `a["b.c"]`,
		`a={"b":1},a={"b":2}`:                   "",
		`a={"b":{"c":1},"c":{"b":1}}`:           "",
		`a=[{"b":1},{"b":1}]`:                   "",
		`a="{\"b\":1,\"b\":2}"`:                 "",
		`{"a":1}`:                               "",
	} {
		_, found := load(t, nil, "--set-json "+text)
		var got []string
		for _, f := range found {
			if f.Code != faults.YAMLDuplicate || f.Fix != "keep one of the two" || !strings.HasPrefix(f.File, "--set-json ") {
				t.Errorf("%s: %+v", text, f)
			}
			got = append(got, f.Field)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// R20, R22: nor is a value shown that stands in such an object.
func TestKeysTwiceInJSONShowNoSecret(t *testing.T) {
	for _, text := range []string{`{"a":{"password":"hunter2","hunter2":1,"hunter2":2}}`, `a={"password":"hunter2","password":"hunter2x"}`} {
		_, found := load(t, nil, "--set-json "+text)
		if len(found) != 1 || strings.Contains(fmt.Sprint(found), "hunter2") {
			t.Errorf("%s: %v", text, found)
		}
	}
}

// R20: of several documents in a file Helm reads the first, empty or not: another one
// that holds something is a fault at its ---.
func TestOneDocumentIsRead(t *testing.T) {
	for text, want := range map[string]int{
		"a: 1\n---\nb: 2\n":                           2,
		"---\n---\na: 1\n":                            2,
		"# x\n---\n# y\n---\na: 1\n":                  4,
		"---\nnull\n---\na: 1\n":                      3,
		"~\n---\na: 1\n":                              2,
		"---\n---\n---\na: 1\n---\nb: 2\n":            3,
		"%YAML 1.1\n---\na: 1\n---\n# b\n---\nc: 1\n": 6,
		"---\n---\na: 1\nb: |\n  ---\n":               2,
		"---\na: 1\n":                                 0,
		"# x\n\n--- # y\na: 1\n":                      0,
		"%YAML 1.1\n# x\n---\na: 1\n":                 0,
		"a: 1\n---\n# nothing\n---\n":                 0,
		"a: |\n  b\n  ---\n  c\nd: 1\n":               0,
		"---\n---\n":                                  0,
		"":                                            0,
	} {
		_, found := Read(source.NewFile("v.yaml", text))
		line := 0
		for _, f := range found {
			line = f.Line
		}
		if line != want || len(found) > 1 || want > 0 && (found[0].Code != faults.YAMLSyntax || found[0].Expected != "one document") {
			t.Errorf("%q: at line %d, want %d: %v", text, line, want, found)
		}
	}
}
