package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// drafts are those that editors know. What kora's schema uses means the same in all.
var drafts = []*jsonschema.Draft{jsonschema.Draft7, jsonschema.Draft2019, jsonschema.Draft2020}

// R20: values.schema.json is a valid schema of its own draft, and of the older ones
// that editors take it for; each of them takes the chart's own values.
func TestSchemaIsOneThatEditorsTake(t *testing.T) {
	doc := document(t)
	if doc["$schema"] != drafts[2].String() {
		t.Errorf("$schema is %v", doc["$schema"])
	}
	given := map[string]any{"global": map[string]any{"trustDomain": "example.com"}, "frontendHost": "example.com"}
	for _, draft := range drafts {
		doc["$schema"] = draft.String()
		c := jsonschema.NewCompiler()
		c.UseLoader(nothingElse{})
		if err := c.AddResource(location, doc); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile(location)
		if err != nil {
			t.Fatalf("%s: %v", draft, err)
		}
		if err := s.Validate(merged(t, given)); err != nil {
			t.Errorf("%s: %v", draft, err)
		}
		given["frontendHos"] = "example.com"
		if err := s.Validate(merged(t, given)); err == nil {
			t.Errorf("%s takes an unknown key", draft)
		}
		delete(given, "frontendHos")
	}
}

// merged are values over the chart's own, as Helm judges them.
func merged(t *testing.T, given map[string]any) any {
	t.Helper()
	text, err := yaml.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	own := read(t, string(embedded(t, "values.yaml")))
	return Plain(read(t, string(text)).Over(own).Root())
}

func document(t testing.TB) map[string]any {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(embedded(t, "values.schema.json")))
	if err != nil {
		t.Fatal(err)
	}
	return doc.(map[string]any)
}

// each visits every schema in a schema.
func each(v any, at string, visit func(string, map[string]any)) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	visit(at, m)
	for _, keyword := range []string{"properties", "$defs"} {
		below, _ := m[keyword].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(below)) {
			each(below[name], at+"/"+keyword+"/"+name, visit)
		}
	}
	for _, keyword := range []string{"items", "additionalProperties", "propertyNames", "contains"} {
		each(m[keyword], at+"/"+keyword, visit)
	}
	for _, form := range []any{m["anyOf"], m["oneOf"], m["allOf"]} {
		list, _ := form.([]any)
		for _, below := range list {
			each(below, at+"/…", visit)
		}
	}
}

// R20: a pattern is told in words, to people and in editors.
func TestEveryPatternIsToldInWords(t *testing.T) {
	count := 0
	each(document(t), "", func(at string, s map[string]any) {
		if s["pattern"] == nil {
			return
		}
		count++
		words, _ := s["patternErrorMessage"].(string)
		if !strings.HasPrefix(words, "not ") || !strings.Contains(words, "such as ") {
			t.Errorf("%s: %q", at, words)
		}
	})
	if count < 60 {
		t.Errorf("%d patterns", count)
	}
}

// R20: every default and every example is one that the schema takes, each by
// itself.
func TestDefaultsAndExamplesAreTaken(t *testing.T) {
	s, found := Parse("values.schema.json", embedded(t, "values.schema.json"))
	if s == nil {
		t.Fatal(show(found))
	}
	count := 0
	each(document(t), "", func(at string, node map[string]any) {
		path, ok := dotted(at)
		if !ok {
			return
		}
		examples, _ := node["examples"].([]any)
		if standard, given := node["default"]; given {
			examples = append(examples, standard)
		}
		for _, v := range examples {
			count++
			if found := s.Check(with(t, path, v), nil); len(found) > 0 {
				t.Errorf("%s: %v:\n%s", path, v, show(found))
			}
		}
	})
	if count < 400 {
		t.Errorf("%d defaults and examples", count)
	}
}

// dotted is the path of a value in a schema, where it has one.
func dotted(at string) ([]string, bool) {
	steps := strings.Split(strings.TrimPrefix(at, "/properties/"), "/properties/")
	for _, step := range steps {
		if step == "" || strings.Contains(step, "$defs") || strings.HasPrefix(step, "/") || strings.Contains(step, "/items") ||
			strings.Contains(step, "/additional") || strings.Contains(step, "/propertyNames") || strings.Contains(step, "/contains") || strings.Contains(step, "/…") {
			return nil, false
		}
	}
	return steps, true
}

// with is a tree of the required values and one more.
func with(t *testing.T, path []string, v any) *values.Tree {
	t.Helper()
	all := map[string]any{"global": map[string]any{"trustDomain": "example.com"}, "frontendHost": "example.com"}
	at := all
	for _, step := range path[:len(path)-1] {
		below, ok := at[step].(map[string]any)
		if !ok {
			below = map[string]any{}
			at[step] = below
		}
		at = below
	}
	at[path[len(path)-1]] = v
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	tree, found := values.Read(source.NewFile("v.json", string(text)))
	if len(found) > 0 {
		t.Fatal(show(found))
	}
	return tree
}

// What is left out of a schema that nobody needs does not change what is said.
func TestSlimSchemaSaysWhatTheWholeOneSays(t *testing.T) {
	text := embedded(t, "values.schema.json")
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc["minProperties"] = 0 // no plain map any more: all of it is compiled
	whole, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	own := read(t, string(embedded(t, "values.yaml")))
	slim, _ := Parse("values.schema.json", text)
	full, _ := Parse("values.schema.json", whole)
	for _, values := range []string{
		"{}", "global: {}", "global: {trustDomain: a, logFormat: x}\nfrontendHost: A\nfoo: 1", "agents: {workspace: {size: x}, replicas: a}\nglobal:\n",
		"policyService: {configOverrides: {internal/policy: {prt: 1}, internal/agents: {}}, resources: {requests: {cpu: x}}}\nfrontend: 1",
		"operator: {configOverrides: {internal/operator: {sandboxPlacement: {foo: 1}, sidecars: {cpu: -1}, syncPeriod: x, installation: {database: {port: 0}}}}}\nconfig: {db: {port: 0}}",
		"agents: {workspace: {size: x}, configOverrides: {internal/agents: {workloads: {common: {nodeSelektor: {}}}, workspace: {size: -5}, images: {sandbox: ''}}}}",
		"agents: {workloads: {common: {podLabels: {runkora.io/a: b, ok: 'a b'}}}, manifestPatches: {'a b': {}}}\nnetworkPolicy: {externalServices: [{}]}\nconfig: {db:, redis: {tls: {enabled: on}}}",
	} {
		tree := read(t, values)
		if diff := cmp.Diff(show(full.Check(tree, own)), show(slim.Check(tree, own))); diff != "" {
			t.Errorf("%s (-whole +slim):\n%s", values, diff)
		}
	}
}
