package schema

import (
	"net/url"
	"strconv"
	"strings"
)

// at is the part of the schema under an address of the library's.
func (t *teller) at(address string) map[string]any {
	_, fragment, _ := strings.Cut(address, "#")
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	return object(pointed(t.doc, fragment))
}

// pointed follows a JSON pointer.
func pointed(v any, pointer string) any {
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// object is a schema that is a map, with what it refers to below what it says itself.
func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// schemaOf is what the schema says of the value at a place, nil where it says nothing.
func (t *teller) schemaOf(location []string) map[string]any {
	node := t.resolved(object(t.doc), 0)
	for _, step := range location {
		properties, _ := node["properties"].(map[string]any)
		below, known := properties[step]
		if !known {
			below = node["additionalProperties"]
			if _, err := strconv.Atoi(step); err == nil && node["items"] != nil {
				below = node["items"]
			}
		}
		node = t.resolved(object(below), 0)
	}
	return node
}

// resolved lays a schema over what it refers to.
func (t *teller) resolved(node map[string]any, depth int) map[string]any {
	ref, ok := node["$ref"].(string)
	if !ok || depth > 20 {
		return node
	}
	out := map[string]any{}
	for k, v := range t.resolved(t.at(ref), depth+1) {
		out[k] = v
	}
	for k, v := range node {
		out[k] = v
	}
	return out
}
