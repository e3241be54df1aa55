package faults

import (
	"encoding/json"
	"testing"
)

func TestSARIFShowsEveryFaultBesideItsSource(t *testing.T) {
	out := printed(t, FormatSARIF, Options{Version: "1.4.0"}, sample())
	golden(t, "sarif", out)
	assertSARIF(t, out)
}

func TestSARIFWithoutFaultsHasNoResultsAndNoRules(t *testing.T) {
	out := printed(t, FormatSARIF, Options{}, nil)
	golden(t, "sarif-empty", out)
	assertSARIF(t, out)
}

// A code from a newer kora, or none at all, still gives a log that validates.
func TestSARIFTakesACodeThatTheCatalogueDoesNotHold(t *testing.T) {
	assertSARIF(t, printed(t, FormatSARIF, Options{}, List{{}, {Code: "KORA-X999", Line: -1, Column: -1, File: "a"}}))
}

func TestSARIFLocationsAreURIs(t *testing.T) {
	for file, want := range map[string]string{
		"patches/50 a.yaml": "patches/50%20a.yaml",
		"../50-ä#1?.yaml":   "../50-%C3%A4%231%3F.yaml",
		"c:d.yaml":          "./c:d.yaml",
		"/etc/kora/a.yaml":  "file:///etc/kora/a.yaml",
		"//host/a.yaml":     "file:///host/a.yaml",
		"\x1b\xff%41":       "%1B%FF%2541",
	} {
		if got := uri(file); got != want {
			t.Errorf("%q: %s, want %s", file, got, want)
		}
	}
}

type object = map[string]any

// assertSARIF asserts what the schema of SARIF 2.1.0 requires of the parts
// that kora writes.
func assertSARIF(t *testing.T, out []byte) {
	t.Helper()
	var log object
	if err := json.Unmarshal(out, &log); err != nil {
		t.Fatal(err)
	}
	if log["version"] != "2.1.0" || log["$schema"] == "" {
		t.Errorf("version %v, schema %v", log["version"], log["$schema"])
	}
	run := log["runs"].([]any)[0].(object)
	driver := run["tool"].(object)["driver"].(object)
	if driver["name"] != "kora" || run["columnKind"] != "unicodeCodePoints" {
		t.Errorf("driver %v, columns in %v", driver["name"], run["columnKind"])
	}
	rules := driver["rules"].([]any)
	used := map[any]bool{}
	for _, r := range run["results"].([]any) {
		assertResult(t, r.(object), rules)
		used[r.(object)["ruleId"]] = true
	}
	if len(used) != len(rules) {
		t.Errorf("%d rules for %d codes", len(rules), len(used))
	}
}

func assertResult(t *testing.T, r object, rules []any) {
	t.Helper()
	index := int(r["ruleIndex"].(float64))
	if got := rules[index].(object)["id"]; got != r["ruleId"] {
		t.Errorf("rule %d is %v, not %v", index, got, r["ruleId"])
	}
	if level := r["level"]; level != "error" && level != "warning" {
		t.Errorf("level %v", level)
	}
	if _, ok := r["message"].(object)["text"].(string); !ok {
		t.Errorf("message %v has no text", r["message"])
	}
	list, _ := r["locations"].([]any)
	for _, l := range list {
		assertLocation(t, l.(object))
	}
}

func assertLocation(t *testing.T, l object) {
	t.Helper()
	if len(l) == 0 {
		t.Error("an empty location")
	}
	physical, ok := l["physicalLocation"].(object)
	if !ok {
		return
	}
	if physical["artifactLocation"].(object)["uri"] == "" {
		t.Error("an artifact without a URI")
	}
	region, ok := physical["region"].(object)
	if ok && region["startLine"].(float64) < 1 {
		t.Errorf("region %v", region)
	}
	if column, ok := region["startColumn"]; ok && column.(float64) < 1 {
		t.Errorf("region %v", region)
	}
}
