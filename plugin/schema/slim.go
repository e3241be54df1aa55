package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/values"
)

// A chart has hundreds of values, and somebody sets a dozen. What nobody set is the
// chart's own, and compiling its schema would take most of the time. So the maps of
// a schema are looked at as far as they are plain ones, and only the properties
// that somebody gave, or took away, are left in them.

// plainKeywords are those of a map whose properties do not depend on one another.
var plainKeywords = map[string]bool{
	"$schema": true, "$defs": true, "$id": true, "$comment": true, "title": true, "description": true, "default": true, "examples": true,
	"type": true, "properties": true, "additionalProperties": true, "required": true,
}

// slim returns the part of a schema that the given values need, and the part of all
// values that it applies to.
func slim(doc any, given *values.Tree, whole *source.Node) (any, any) {
	s := &slimmer{defs: map[string]any{}, values: map[string]map[string]any{}, doc: doc, plain: true}
	root, ok := doc.(map[string]any)
	if !ok {
		return doc, Plain(whole)
	}
	part, v := s.object(root, given.Touched(), whole)
	s.needed(part)
	if !s.plain {
		return doc, Plain(whole)
	}
	if len(s.defs) > 0 {
		part["$defs"] = s.defs
	}
	for _, path := range slices.Sorted(maps.Keys(s.values)) {
		graft(part, strings.Split(path, "/properties/"), s.values[path])
	}
	return part, v
}

type slimmer struct {
	doc  any
	defs map[string]any // that are referred to

	values map[string]map[string]any // that are referred to, by the rest of a pointer below #/properties/
	plain  bool                      // every reference is to one of those
}

func (s *slimmer) object(schema map[string]any, given, whole *source.Node) (map[string]any, any) {
	properties, ok := schema["properties"].(map[string]any)
	if !ok || !isPlain(schema) || whole == nil || whole.Kind != source.Mapping || given == nil || given.Kind != source.Mapping {
		return schema, Plain(whole)
	}
	part, kept, v := map[string]any{}, map[string]any{}, map[string]any{}
	for keyword, value := range schema {
		part[keyword] = value
	}
	delete(part, "$defs")
	part["properties"] = kept
	wanted := map[string]*source.Node{}
	for _, f := range given.Fields {
		wanted[f.Key.Value] = f.Value
	}
	for _, name := range texts(schema["required"]) {
		if _, known := wanted[name]; !known {
			wanted[name] = nil
		}
	}
	for name, below := range wanted {
		sub, known := properties[name]
		value := whole.Get(name)
		object, isObject := sub.(map[string]any)
		switch {
		case known && isObject && below != nil && value != nil:
			kept[name], v[name] = s.object(object, below, value)
		case known:
			kept[name] = sub
			fallthrough
		default:
			if value != nil {
				v[name] = Plain(value)
			}
		}
	}
	return part, v
}

func isPlain(schema map[string]any) bool {
	for keyword := range schema {
		if !plainKeywords[keyword] {
			return false
		}
	}
	return true
}

// needed keeps the definitions that a part refers to.
func (s *slimmer) needed(v any) {
	switch v := v.(type) {
	case map[string]any:
		for keyword, value := range v {
			switch keyword {
			case "$ref":
				s.definition(value)
			case "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "definitions":
				s.plain = false
			case "default", "examples", "enum", "const":
			default:
				s.needed(value)
			}
		}
	case []any:
		for _, item := range v {
			s.needed(item)
		}
	}
}

func (s *slimmer) definition(ref any) {
	text, ok := ref.(string)
	if !ok {
		return // a property of that name
	}
	if path, ok := strings.CutPrefix(text, "#/properties/"); ok && !strings.ContainsAny(path, "%~") {
		s.value(path)
		return
	}
	name, ok := strings.CutPrefix(text, "#/$defs/")
	if !ok || strings.ContainsAny(name, "/%~") {
		s.plain = false
		return
	}
	if _, known := s.defs[name]; known {
		return
	}
	root, _ := s.doc.(map[string]any)
	defs, _ := root["$defs"].(map[string]any)
	definition, known := defs[name]
	if !known {
		s.plain = false
		return
	}
	s.defs[name] = definition
	s.needed(definition)
}

// value keeps a value that a setting of a config module stands for: the setting is
// judged as the value is (R23).
func (s *slimmer) value(path string) {
	if _, known := s.values[path]; known {
		return
	}
	node, ok := pointed(s.doc, "/properties/"+path).(map[string]any)
	if !ok || slices.ContainsFunc(strings.Split(path, "/properties/"), func(name string) bool { return strings.Contains(name, "/") }) {
		s.plain = false
		return
	}
	s.values[path] = node
	s.needed(node)
}

// graft puts a value back into a part of the schema, where the reference looks for
// it. Nothing else is said for that: the value was not given, or what stands there
// is a part of it.
func graft(part map[string]any, names []string, node map[string]any) {
	properties := maps.Clone(object(part["properties"]))
	if properties == nil {
		properties = map[string]any{}
	}
	part["properties"] = properties
	if len(names) == 1 {
		properties[names[0]] = node
		return
	}
	below := maps.Clone(object(properties[names[0]]))
	if below == nil {
		below = map[string]any{}
	}
	properties[names[0]] = below
	graft(below, names[1:], node)
}

func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, item := range list {
		if text, ok := item.(string); ok {
			out = append(out, text)
		}
	}
	return out
}
