package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// company is what an example cannot be without, and the word of its description that
// says so.
var company = map[string]struct {
	path, says string
	v          any
}{
	"gateway.create":                        {"gateway.byo.namespace", "gateway.byo.namespace", "gateways"},
	"agents.workloads.sandbox.nodeSelector": {"agents.workspace.accessModes", "ReadWriteMany", []any{"ReadWriteMany"}},
}

// R20: every example of the schema is taken, set alone, or with what its description
// says it needs.
func TestEveryExampleIsTaken(t *testing.T) {
	own, p := embedded(t), schemaOf(t)
	count := 0
	p.examples("#", "", nil, func(path []string, description string, v any) {
		count++
		values, name := release(), strings.Join(path, ".")
		set(values, path, v)
		if with, needs := company[name]; needs {
			if found := Check(tree(t, values), own); !found.Refused() {
				t.Errorf("%s: %v needs nothing", name, v)
			}
			if !strings.Contains(description, with.says) {
				t.Errorf("%s does not tell of %s: %s", name, with.path, description)
			}
			set(values, strings.Split(with.path, "."), with.v)
		}
		if found := Check(tree(t, values), own); found.Refused() {
			t.Errorf("%s: %v\n%s", name, v, report(t, found))
		}
	})
	if count < 150 {
		t.Errorf("%d examples", count)
	}
}

// R20, R23: every example of a setting of a config module is taken: alone, or where
// it may only repeat a value, together with that; and then its description says so.
func TestEveryExampleOfASettingIsTaken(t *testing.T) {
	own, p := embedded(t), schemaOf(t)
	alone, together := 0, 0
	for module, service := range modulesOf(t) {
		at := "#/$defs/module:" + strings.ReplaceAll(strings.TrimPrefix(module, "internal/"), "/", ".")
		p.examples(at, "", nil, func(path []string, description string, v any) {
			values := release()
			set(values, append([]string{service, "configOverrides", module}, path...), v)
			if with, needs := company[service+"."+strings.Join(path, ".")]; needs {
				set(values, strings.Split(with.path, "."), with.v)
			}
			found := Check(tree(t, values), own)
			if !found.Refused() {
				alone++
				return
			}
			together++
			of, pinned := strings.CutPrefix(description, "Only as ")
			of, _, _ = strings.Cut(of, " has it")
			if !pinned {
				t.Errorf("%s %v: %v is refused, and its description is %q\n%s", module, path, v, description, report(t, found))
				return
			}
			set(values, strings.Split(of, "."), v)
			if found := Check(tree(t, values), own); found.Refused() {
				t.Errorf("%s %v: %v is refused together with %s\n%s", module, path, v, of, report(t, found))
			}
		})
	}
	if alone < 10 || together < 20 {
		t.Errorf("%d alone, %d together", alone, together)
	}
}

// R20, R23: what may only repeat something says in the schema, and so in an editor
// and in the reference, what that is.
func TestPinnedSettingsSayWhatTheyRepeat(t *testing.T) {
	p := schemaOf(t)
	count := 0
	var walk func(at string, pin *source.Node)
	walk = func(at string, pin *source.Node) {
		node := p.node(at)
		if _, open := node["properties"]; pin.Kind == source.Mapping && (open && node["$ref"] == nil) {
			for _, f := range pin.Fields {
				walk(at+"/properties/"+f.Key.Value, f.Value)
			}
			return
		}
		count++
		description, _ := node["description"].(string)
		words := []string{"Only "}
		for _, text := range leafTexts(pin) {
			of, _, _ := strings.Cut(strings.TrimPrefix(strings.ReplaceAll(text, hostMark, "<frontendHost>"), "="), " ")
			if node["$ref"] != nil && pin.Kind == source.Mapping {
				of = of[:strings.LastIndex(of, ".")] // of the block
			}
			words = append(words, of)
		}
		for _, word := range words {
			if !strings.Contains(description, word) {
				t.Errorf("%s does not say %q: %q", at, word, description)
			}
		}
	}
	for _, module := range pinned().Fields {
		walk("#/$defs/module:"+strings.ReplaceAll(strings.TrimPrefix(module.Key.Value, "internal/"), "/", "."), module.Value)
	}
	if count < 50 {
		t.Errorf("%d settings", count)
	}
}

func leafTexts(n *source.Node) []string {
	var out []string
	for _, f := range entries(n) {
		out = append(out, leafTexts(f.Value)...)
	}
	for _, item := range items(n) {
		out = append(out, leafTexts(item)...)
	}
	if n.Kind == source.Scalar {
		out = append(out, n.Value)
	}
	return out
}

func schemaOf(t *testing.T) pointers {
	t.Helper()
	var p pointers
	if err := json.Unmarshal(embedded(t).Schema, &p.doc); err != nil {
		t.Fatal(err)
	}
	return p
}

// modulesOf are the config modules, each with a service that has it.
func modulesOf(t *testing.T) map[string]string {
	t.Helper()
	p, out := schemaOf(t), map[string]string{}
	for _, service := range Services() {
		for module := range p.node("#/properties/" + service + "/properties/configOverrides")["properties"].(map[string]any) {
			out[module] = service
		}
	}
	return out
}

// examples walks all values with examples, but what configOverrides hold. What is in
// a block that only repeats another repeats what is in that.
func (p pointers) examples(at, above string, path []string, each func([]string, string, any)) {
	node := p.node(at)
	examples, _ := node["examples"].([]any)
	description, _ := node["description"].(string)
	if of, pinned := strings.CutSuffix(above, " has it."); pinned && len(path) > 0 {
		description = of + "." + path[len(path)-1] + " has it."
	}
	for _, v := range examples {
		each(path, description, v)
	}
	properties, _ := node["properties"].(map[string]any)
	for name := range properties {
		if name != "configOverrides" {
			p.examples(p.target(at)+"/properties/"+name, description, append(path[:len(path):len(path)], name), each)
		}
	}
}

// node is what stands at a place, with what it refers to under it.
func (p pointers) node(at string) map[string]any {
	out := map[string]any{}
	for _, place := range []string{p.target(at), at} {
		node := any(p.doc)
		for step := range strings.SplitSeq(strings.TrimPrefix(place, "#"), "/") {
			if step != "" {
				node = node.(map[string]any)[step]
			}
		}
		for k, v := range node.(map[string]any) {
			out[k] = v
		}
	}
	return out
}

// release are the values that must be given.
func release() map[string]any {
	return map[string]any{"global": map[string]any{"trustDomain": "example.com"}, "frontendHost": "example.com"}
}

func set(at map[string]any, path []string, v any) {
	for _, name := range path[:len(path)-1] {
		if _, ok := at[name].(map[string]any); !ok {
			at[name] = map[string]any{}
		}
		at = at[name].(map[string]any)
	}
	at[path[len(path)-1]] = v
}

func tree(t *testing.T, v map[string]any) *values.Tree {
	t.Helper()
	text, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, string(text))
}
