package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// pointers walks a schema by keys of values, through what it refers to.
type pointers struct{ doc map[string]any }

// of is the place where a value's own schema stands, below the place of a map's.
func (p pointers) of(at string, path []string) string {
	for _, name := range path {
		at = p.target(at) + "/properties/" + name
	}
	return p.target(at)
}

func (p pointers) target(at string) string {
	node := any(p.doc)
	for step := range strings.SplitSeq(strings.TrimPrefix(at, "#"), "/") {
		if step == "" {
			continue
		}
		below, _ := node.(map[string]any)
		node = below[step]
	}
	m, _ := node.(map[string]any)
	if ref, ok := m["$ref"].(string); ok {
		return p.target(ref)
	}
	if m == nil {
		return "nothing at " + at
	}
	return at
}

// R20, R23: a setting of a config module that is made of a value has no schema but
// the value's: it cannot be held to less.
func TestSettingsAreHeldToWhatTheValuesAre(t *testing.T) {
	p := pointers{}
	if err := json.Unmarshal(embedded(t).Schema, &p.doc); err != nil {
		t.Fatal(err)
	}
	count := 0
	same := func(module string, setting []string, value string) {
		count++
		name := "#/$defs/module:" + strings.ReplaceAll(strings.TrimPrefix(module, "internal/"), "/", ".")
		got, want := p.of(name, setting), p.of("#", strings.Split(value, "."))
		if got != want {
			t.Errorf("%s %v is held to %s, and not to %s", module, setting, got, want)
		}
	}
	var walk func(module string, n *source.Node, at []string)
	walk = func(module string, n *source.Node, at []string) {
		for _, f := range n.Fields {
			below := append(at[:len(at):len(at)], f.Key.Value)
			switch pin := f.Value; {
			case pin.Kind == source.Mapping:
				walk(module, pin, below)
			case pin.Kind == source.Sequence && (len(pin.Items) > 1 || strings.HasPrefix(pin.Items[0].Value, "=")): // the list of them
			case pin.Kind == source.Sequence && f.Key.Value == "imagePullSecrets": // names alone
			case pin.Kind == source.Sequence:
				same(module, below, pin.Items[0].Value)
			case strings.HasPrefix(pin.Value, "=") || f.Key.Value == "gateway": // fixed, or of a value that is never empty
			case pin.Tag == "!!str" && f.Key.Value != "manifestPatches" && f.Key.Value != "themeFile": // paths of files
				value, _, _ := strings.Cut(pin.Value, " ")
				same(module, below, value)
			}
		}
	}
	for _, module := range pinned().Fields {
		walk(module.Key.Value, module.Value, nil)
	}
	for _, m := range values.Meanings() {
		switch m.Setting {
		case "enforcer": // an image like any
		case "sandboxPlacement", "installation.sessionManagerPlacement": // parts of a block
			for _, key := range []string{"nodeSelector", "tolerations", "affinity"} {
				same(m.Module, append(strings.Split(m.Setting, "."), key), m.Value+"."+key)
			}
		case "imagePullSecrets": // names alone
		case "sandboxImages.bundled":
			for _, key := range []string{"enabled", "warm", "image"} {
				same(m.Module, append(strings.Split(m.Setting, "."), "go", key), m.Value+".go."+key)
			}
		default:
			same(m.Module, strings.Split(m.Setting, "."), m.Value)
		}
	}
	if count < 40 {
		t.Errorf("%d settings", count)
	}
}

// R20, R23: no map of a module is open, and no value of it without a type.
func TestModulesAreClosed(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(embedded(t).Schema, &doc); err != nil {
		t.Fatal(err)
	}
	defs, _ := doc["$defs"].(map[string]any)
	var walk func(at fields.Path, n map[string]any)
	walk = func(at fields.Path, n map[string]any) {
		properties, _ := n["properties"].(map[string]any)
		items, _ := n["items"].(map[string]any)
		switch {
		case n["$ref"] != nil || n["enum"] != nil:
		case n["type"] == "object" && (n["additionalProperties"] != false || len(properties) == 0):
			t.Errorf("%s is open", at)
		case n["type"] == "array" && items == nil:
			t.Errorf("%s has any items", at)
		case n["type"] == nil:
			t.Errorf("%s has any type", at)
		}
		for name, below := range properties {
			walk(at.Child(name), below.(map[string]any))
		}
		if items != nil {
			walk(at.Child("items"), items)
		}
	}
	count := 0
	for name, module := range defs {
		if strings.HasPrefix(name, "module:") {
			count++
			walk(fields.Path(name), module.(map[string]any))
		}
	}
	if count < 14 {
		t.Errorf("%d modules", count)
	}
}
