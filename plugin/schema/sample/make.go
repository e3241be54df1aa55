package sample

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// maker makes values of a schema.
type maker struct {
	doc    map[string]any
	random *rand.Rand
}

// chance is true in so many of a hundred cases.
func (m *maker) chance(percent int) bool { return m.random.IntN(100) < percent }

func pick[T any](m *maker, from []T) T { return from[m.random.IntN(len(from))] }

// value makes a value of a schema, nil where the schema says too little.
func (m *maker) value(schema map[string]any, depth int) any {
	schema = m.resolved(schema)
	if forms, ok := schema["anyOf"].([]any); ok {
		return m.value(object(pick(m, forms)), depth)
	}
	if words, ok := schema["enum"].([]any); ok {
		return pick(m, words)
	}
	if examples, ok := schema["examples"].([]any); ok && (m.chance(30) || bare(schema)) {
		return pick(m, examples)
	}
	switch pick(m, kinds(schema)) {
	case "object":
		return m.object(schema, depth)
	case "array":
		return m.list(schema, depth)
	case "string":
		return m.text(schema)
	case "integer":
		return m.number(schema)
	case "number":
		return pick(m, []any{0.25, 0.5, 1})
	case "boolean":
		return m.chance(50)
	}
	return nil
}

// bare reports whether a schema leaves the form of what is in it to Kubernetes.
func bare(schema map[string]any) bool {
	switch pickless(kinds(schema)) {
	case "object":
		return schema["properties"] == nil && object(schema["additionalProperties"]) == nil
	case "array":
		return true
	case "string":
		return schema["pattern"] == nil
	}
	return false
}

func pickless(list []string) string { return list[0] }

func kinds(schema map[string]any) []string {
	switch kind := schema["type"].(type) {
	case string:
		return []string{kind}
	case []any:
		var out []string
		for _, each := range kind {
			text, _ := each.(string)
			out = append(out, text)
		}
		return out
	}
	if schema["properties"] != nil {
		return []string{"object"}
	}
	return []string{""}
}

func (m *maker) object(schema map[string]any, depth int) any {
	out := map[string]any{}
	properties := object(schema["properties"])
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) || m.chance(max(50-8*depth, 20)) {
			if v := m.value(object(properties[name]), depth+1); v != nil {
				out[name] = v
			}
		}
	}
	if more := object(schema["additionalProperties"]); more != nil {
		for range m.random.IntN(3) {
			if v := m.value(more, depth+1); v != nil {
				out[m.key(schema)] = v
			}
		}
	}
	return out
}

// key makes the name of a key that is the user's.
func (m *maker) key(schema map[string]any) string {
	if pattern, ok := object(schema["propertyNames"])["pattern"].(string); ok && m.chance(50) {
		return like(m, pattern)
	}
	return pick(m, []string{"team", "cost-centre", "example.com/owner", "example.com/pool", "tier"})
}

func (m *maker) list(schema map[string]any, depth int) any {
	least, most := int(float(schema["minItems"], 0)), int(float(schema["maxItems"], 3))
	out := []any{}
	for range least + m.random.IntN(max(most-least, 0)+1) {
		v := m.value(object(schema["items"]), depth+1)
		if unique, _ := schema["uniqueItems"].(bool); v != nil && !(unique && slices.Contains(out, v)) {
			out = append(out, v)
		}
	}
	return out
}

func (m *maker) text(schema map[string]any) any {
	if pattern, ok := schema["pattern"].(string); ok {
		text := like(m, pattern)
		if most := int(float(schema["maxLength"], 200)); len(text) > most {
			text = strings.TrimRight(text[:most], ".-_/:")
		}
		return text
	}
	return pick(m, []string{"", "kora", "example", "a b", "é", "1", "true", "on", "null", "0x1", "# no comment", "a: b", "'", `"`, "{{ x }}", "%"})
}

// number is often a bound, and else a small one: nobody has a million pods.
func (m *maker) number(schema map[string]any) any {
	least, most := int64(float(schema["minimum"], 0)), int64(float(schema["maximum"], 1000))
	if m.chance(20) {
		return pick(m, []int64{least, most})
	}
	return least + m.random.Int64N(min(most-least, 20)+1)
}

func (m *maker) resolved(schema map[string]any) map[string]any {
	ref, ok := schema["$ref"].(string)
	if !ok {
		return schema
	}
	name := strings.TrimPrefix(ref, "#/$defs/")
	if name == "quantity" {
		return map[string]any{"enum": []any{"100m", "500m", "1", "2", "2.5", "512Mi", "1Gi", "4Gi", "16Gi", "1e3", 3}}
	}
	out := maps.Clone(object(object(m.doc["$defs"])[name]))
	if names, ok := strings.CutPrefix(ref, "#/properties/"); ok {
		out = maps.Clone(m.of(strings.Split(names, "/properties/")))
	}
	for k, v := range schema {
		if k != "$ref" {
			out[k] = v
		}
	}
	return m.resolved(out)
}

// of is what the schema says of a value.
func (m *maker) of(path []string) map[string]any {
	node := m.doc
	for _, name := range path {
		node = object(object(node["properties"])[name])
	}
	return node
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func float(v any, otherwise float64) float64 {
	if f, ok := v.(float64); ok {
		return f
	}
	return otherwise
}
