package charts

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// node is what these tests read of the schema.
type node struct {
	Ref                  string `json:"$ref"`
	Description          string
	Default              json.RawMessage
	Examples             []any
	Properties           map[string]node
	AdditionalProperties json.RawMessage
	Required             []string
}

// leaf is one value: where nothing of kora's own shape lies below.
type leaf struct {
	path string
	node node
}

// schema reads values.schema.json.
func schema(t *testing.T) node {
	t.Helper()
	text, err := os.ReadFile("kora/values.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// leaves lists the values, ordered by path. A map that has a default of its own is
// one value, such as configOverrides.
func (n node) leaves(path string) []leaf {
	if len(n.Properties) == 0 || n.Default != nil {
		return []leaf{{path, n}}
	}
	var all []leaf
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		all = append(all, n.Properties[name].leaves(strings.TrimPrefix(path+"."+name, "."))...)
	}
	return all
}

// koraDefaults reads values.yaml.
func koraDefaults(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile("kora/values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if first, _, _ := strings.Cut(string(text), "\n"); first != "# yaml-language-server: $schema=values.schema.json" {
		t.Errorf("an editor does not find the schema by %q", first)
	}
	var values map[string]any
	if err := yaml.UnmarshalStrict(text, &values); err != nil {
		t.Fatal(err)
	}
	return values
}

// required have no default, so values.yaml only speaks of them.
var required = []string{"frontendHost", "global.trustDomain"}

// R20, R21: values.yaml holds every value of the schema, with the default that the
// schema tells, and no other.
func TestKoraValuesAreTheSchemas(t *testing.T) {
	root, values := schema(t), koraDefaults(t)
	for _, l := range root.leaves("") {
		got, given := lookup(values, l.path)
		if slices.Contains(required, l.path) {
			if given || l.node.Default != nil {
				t.Errorf("%s is required, and yet has a default", l.path)
			}
			continue
		}
		var want any
		if err := json.Unmarshal(l.node.Default, &want); err != nil {
			t.Errorf("%s: its default: %v", l.path, err)
		}
		if !given {
			t.Errorf("%s is not in values.yaml", l.path)
		} else if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-schema +values.yaml):\n%s", l.path, diff)
		}
		remove(values, l.path)
	}
	if left := paths(values, ""); len(left) > 0 {
		t.Errorf("not in the schema: %v", left)
	}
	if !slices.Equal(root.Required, []string{"global", "frontendHost"}) || !slices.Equal(root.Properties["global"].Required, []string{"trustDomain"}) {
		t.Errorf("required: %v, %v", root.Required, root.Properties["global"].Required)
	}
}

// R20: each value and each block is described, each value has an example that is
// not its default, and each map of kora's own shape is closed.
func TestKoraSchemaExplainsItself(t *testing.T) {
	var walk func(path string, n node)
	walk = func(path string, n node) {
		if n.Description == "" {
			t.Errorf("%s is not described", path)
		}
		if len(n.Properties) > 0 && string(n.AdditionalProperties) != "false" {
			t.Errorf("%s is open", path)
		}
		for name, child := range n.Properties {
			if path != "" && strings.HasSuffix(path, ".configOverrides") {
				continue // a module of the table, described by its definition
			}
			walk(strings.TrimPrefix(path+"."+name, "."), child)
		}
	}
	walk("", schema(t))
	for _, l := range schema(t).leaves("") {
		if len(l.node.Examples) == 0 {
			t.Errorf("%s has no example", l.path)
			continue
		}
		example, err := json.Marshal(l.node.Examples[0])
		if err != nil || string(example) == string(l.node.Default) {
			t.Errorf("%s: the example is the default: %s, %v", l.path, example, err)
		}
	}
}

// R19, "Fixed names": one version, from one file.
func TestKoraHasTheVersionOfEverything(t *testing.T) {
	text, err := os.ReadFile("../VERSION")
	if err != nil {
		t.Fatal(err)
	}
	chart, version := read(t, Kora), strings.TrimSpace(string(text))
	if chart["version"] != version || chart["appVersion"] != version || chart["name"] != "kora" || chart["kubeVersion"] != ">=1.34.0-0" {
		t.Errorf("%v, VERSION %s", chart, version)
	}
}

// lookup follows a dotted path; no key of values.yaml has a dot.
func lookup(values map[string]any, path string) (any, bool) {
	first, rest, more := strings.Cut(path, ".")
	value, given := values[first]
	if !more || !given {
		return value, given
	}
	below, _ := value.(map[string]any)
	return lookup(below, rest)
}

func remove(values map[string]any, path string) {
	first, rest, more := strings.Cut(path, ".")
	if below, ok := values[first].(map[string]any); ok && more {
		remove(below, rest)
	} else if !more {
		delete(values, first)
	}
}

// paths are the leaves that are left.
func paths(values map[string]any, path string) []string {
	var all []string
	for key, value := range values {
		if below, ok := value.(map[string]any); ok {
			all = append(all, paths(below, path+"."+key)...)
		} else {
			all = append(all, path+"."+key)
		}
	}
	return all
}
