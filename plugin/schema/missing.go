package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// missing tells of values that must be given and are not.
func (t *teller) missing(e *jsonschema.ValidationError, names []string) {
	for _, name := range names {
		for _, location := range t.needed(append(slices.Clone(e.InstanceLocation), name)) {
			t.refuse(t.required(location, t.around(location)))
		}
	}
}

// needed are the values that a missing one consists of: itself, or those that a
// map of its kind must have.
func (t *teller) needed(location []string) [][]string {
	node := t.schemaOf(location)
	names := texts(node["required"])
	if len(names) == 0 || len(location) > maxDepth {
		return [][]string{location}
	}
	var out [][]string
	for _, name := range names {
		out = append(out, t.needed(append(slices.Clone(location), name))...)
	}
	return out
}

// mustBeGiven reports whether the map around a value demands it.
func (t *teller) mustBeGiven(location []string) bool {
	if len(location) == 0 {
		return false
	}
	last := len(location) - 1
	return slices.Contains(texts(t.schemaOf(location[:last])["required"]), location[last])
}

// required is the fault of a value that must be given, at the place where it goes.
func (t *teller) required(location []string, at source.Pos) faults.Fault {
	return Required(at, t.path(location), t.example(location))
}

// Required is the fault of a value that must be given and is not, at the place
// where it goes, with an example of one.
func Required(place source.Pos, at fields.Path, example string) faults.Fault {
	f := place.Fault(faults.ValueMissing, string(at)+" is required")
	f.Field, f.Fix = string(at), howToSet(at, example)
	return f
}

func howToSet(at fields.Path, example string) string {
	steps := at.Steps()
	name, parent := steps[len(steps)-1].Name, fields.Path("")
	for _, s := range steps[:len(steps)-1] {
		if s.Index >= 0 {
			parent = parent.Index(s.Index)
		} else {
			parent = parent.Child(s.Name)
		}
	}
	text := fmt.Sprintf("add %s: %s", name, example)
	if parent != "" {
		text += " under " + string(parent)
	}
	if strings.ContainsAny(string(at), "[\"") || strings.ContainsAny(example, "{[,") {
		return text
	}
	return fmt.Sprintf("%s, or give --set %s=%s", text, at, example)
}

// example is the first of the schema's for a value, in one line.
func (t *teller) example(location []string) string {
	node := t.schemaOf(location)
	if list, _ := node["examples"].([]any); len(list) > 0 {
		return inline(list[0])
	}
	if list, _ := node["enum"].([]any); len(list) > 0 {
		return inline(list[0])
	}
	return "…"
}

func inline(v any) string {
	if text, ok := v.(string); ok {
		return text
	}
	out, err := json.Marshal(v)
	if err != nil {
		return "…"
	}
	return string(out)
}

// unknown tells of a key that the schema does not have.
func (t *teller) unknown(e *jsonschema.ValidationError, name string) {
	place := t.around(append(slices.Clone(e.InstanceLocation), name))
	f := place.Fault(faults.UnknownField, fmt.Sprintf("unknown field %q", short(name)))
	f.Field, f.Found = string(t.path(e.InstanceLocation).Child(name)), short(name)
	properties, _ := t.at(e.SchemaURL)["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	f.Expected = "one of " + strings.Join(names, ", ")
	if len(names) == 0 {
		f.Expected = "no keys"
	}
	if near := fields.Nearest(name, names); near != "" {
		f.Fix = didYouMean(near)
	} else if places := t.elsewhere(name); len(places) == 1 {
		f.Fix = "it belongs to another place: " + places[0]
	} else {
		f.Fix = "remove it, or use " + strings.TrimPrefix(f.Expected, "one of ")
		if len(names) == 0 {
			f.Fix = "remove it"
		}
	}
	t.refuse(f)
}

// elsewhere are the paths of values of that name, in the maps of the schema.
func (t *teller) elsewhere(name string) []string {
	if t.names == nil {
		t.names = map[string][]string{}
		t.index(object(t.doc), "")
	}
	return t.names[name]
}

func (t *teller) index(node map[string]any, at fields.Path) {
	properties, _ := node["properties"].(map[string]any)
	for key, below := range properties {
		t.names[key] = append(t.names[key], string(at.Child(key)))
		t.index(object(below), at.Child(key))
	}
}

// causes leaves out what is missing because its key is misspelt, or may be in what
// could not be read.
func (t *teller) causes(partial bool) faults.List {
	meant := map[string]bool{}
	for _, f := range t.found {
		if f.Code == faults.UnknownField {
			meant[f.Field[:len(f.Field)-min(len(f.Found), len(f.Field))]+"\x00"+f.Fix] = true
		}
	}
	return slices.DeleteFunc(t.found, func(f faults.Fault) bool {
		steps := fields.Path(f.Field).Steps()
		if f.Code != faults.ValueMissing || len(steps) == 0 {
			return false
		}
		name := steps[len(steps)-1].Name
		return partial || meant[strings.TrimSuffix(f.Field, name)+"\x00"+didYouMean(name)]
	})
}

func didYouMean(name string) string { return fmt.Sprintf("did you mean %q?", name) }
