package patches

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// fromValues reads agents.manifestPatches of a values file.
func fromValues(t testing.TB, text string) ([]Entry, faults.List) {
	t.Helper()
	docs, found := source.Parse(source.NewFile("kora.yaml", text), source.DefaultLimits)
	if len(found) > 0 || len(docs) != 1 {
		t.Fatalf("%d documents, %v", len(docs), found)
	}
	return FromValues(docs[0].Get("agents").Get("manifestPatches"))
}

// R12: the entries of values are those of a directory, by their keys.
func TestFromValuesTakesEachKey(t *testing.T) {
	entries, found := fromValues(t, "agents:\n  manifestPatches:\n    b: {target: {kind: Pod}, patch: x}\n    gone:\n    also-gone: null\n    a: {target: {kind: Pod}, patch: x}\n")
	if keys(entries) != "b a" || len(found) > 0 {
		t.Errorf("%s, %v", keys(entries), found)
	}
	joined, found := Join(entries)
	if keys(joined) != "a b" || len(found) > 0 {
		t.Errorf("joined %s, %v", keys(joined), found)
	}
	for _, text := range []string{"agents:\n  manifestPatches:\n", "agents:\n  manifestPatches: {}\n", "agents: {}\n"} {
		if entries, found := fromValues(t, text); len(entries)+len(found) > 0 {
			t.Errorf("%q: %v, %v", text, entries, found)
		}
	}
}

// R13: what is no map of entries is refused where it stands.
func TestFromValuesRefusesWhatNamesNoFile(t *testing.T) {
	for text, want := range map[string]string{
		"agents:\n  manifestPatches: [a]\n":                     "KORA-P001 2:20 agents.manifestPatches",
		"agents:\n  manifestPatches: text\n":                    "KORA-P001 2:20 agents.manifestPatches",
		"agents:\n  manifestPatches:\n    a/b: {}\n":            "KORA-P001 3:5 agents.manifestPatches",
		"agents:\n  manifestPatches:\n    ../../etc: {}\n":      "KORA-P001 3:5 agents.manifestPatches",
		"agents:\n  manifestPatches:\n    \"\": {}\n":           "KORA-P001 3:5 agents.manifestPatches",
		"agents:\n  manifestPatches:\n    .hidden: {}\n":        "KORA-P001 3:5 agents.manifestPatches",
		"agents:\n  manifestPatches:\n    ..data: {}\n":         "KORA-P001 3:5 agents.manifestPatches",
		"agents:\n  manifestPatches:\n    a: {}\n    a b: {}\n": "KORA-P001 4:5 agents.manifestPatches",
		"agents:\n  manifestPatches:\n    \"a\\nb\": {}\n":      "KORA-P001 3:5 agents.manifestPatches",
	} {
		_, found := fromValues(t, text)
		if len(found) != 1 {
			t.Errorf("%q: %v", text, found)
			continue
		}
		if f := found[0]; fmt.Sprintf("%s %d:%d %s", f.Code, f.Line, f.Column, f.Field) != want {
			t.Errorf("%q: %+v, want %s", text, f, want)
		}
	}
}

// R12, R13: a key of both a directory and values is refused at the later one,
// which is not applied as well.
func TestJoinRefusesAKeyThatBothHave(t *testing.T) {
	directory := []Entry{entry(t, "50-a", harmless), entry(t, "40-b", harmless)}
	values, _ := fromValues(t, "agents:\n  manifestPatches:\n    50-a: {target: {kind: Pod}, patch: x}\n")
	all, found := Join(directory, values)
	if keys(all) != "40-b 50-a" || len(found) != 1 || found[0].Code != faults.DuplicateKey || found[0].File != "kora.yaml" || found[0].Key != "agents.manifestPatches.50-a" {
		t.Errorf("%s, %+v", keys(all), found)
	}
	if all[1].Node.Pos.File.Name == "kora.yaml" {
		t.Error("the later one is left, and the first is gone")
	}
	if all, found := Join(directory, directory, directory); keys(all) != "40-b 50-a" || len(found) != 4 {
		t.Errorf("thrice: %s, %+v", keys(all), found)
	}
	many := make([]Entry, MaxEntries+1)
	for i := range many {
		many[i] = entry(t, fmt.Sprintf("%04d", i), harmless)
	}
	if _, found := Join(many); len(found) != 1 || found[0].Code != faults.PatchLimit {
		t.Errorf("%v", found)
	}
}

// R13: a fault inside a patch is found in the values file, whatever style the
// patch is written in, and with its values key.
func TestFaultsPointIntoTheValuesFile(t *testing.T) {
	for style, patch := range map[string]string{
		"literal":         "|\n        kind: Service\n        metadata: {name: any}\n        spec:\n          typo: x\n",
		"strip":           "|-\n\n        kind: Service\n        metadata: {name: any}\n        spec: {typo: x}",
		"indicator":       "|2\n        kind: Service\n        metadata: {name: any}\n        spec: {typo: x}\n",
		"keep, comment":   "|+ # why\n        kind: Service\n        metadata: {name: any}\n        spec: {typo: x}\n\n\n",
		"folded":          ">\n        kind: Service\n\n        metadata: {name: any}\n\n        spec: {typo:\n        x}\n",
		"single quoted":   "'{kind: Service, metadata: {name: any}, spec: {typo: ''x''}}'\n",
		"double quoted":   "\"{kind: Service, metadata: {name: \\\"any\\\"},\\\n        spec: {typo: x}}\"\n",
		"operation":       "|\n        - op: add\n          path: /spec/typo\n          value: x\n",
		"operation in é ": "|\n        - {value: é, op: add, path: /spec/typo}\n",
		"json":            "'[{\"op\": \"add\", \"path\": \"/spec/typo\", \"value\": 1}]'\n",
	} {
		t.Run(style, func(t *testing.T) {
			text := "agents:\n  manifestPatches:\n    50-a:\n      target: {kind: Service}\n      patch: " + patch
			entries, found := fromValues(t, text)
			_, more := Compile(entries)
			found = append(found, more...)
			if len(found) != 1 {
				t.Fatalf("%v", found)
			}
			f, at := found[0], strings.Index(text, "typo")
			line := 1 + strings.Count(text[:at], "\n")
			column := 1 + len([]rune(text[strings.LastIndex(text[:at], "\n")+1:at]))
			if f.File != "kora.yaml" || f.Key != "agents.manifestPatches.50-a" || f.Line != line || f.Column != column || f.Field != "spec.typo" || !strings.Contains(f.Source, "typo") {
				t.Errorf("at %d:%d, want %d:%d: %+v", f.Line, f.Column, line, column, f)
			}
		})
	}
}
