package patches

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/operator/patches/kustomize"
)

// generator writes random patches for one object: from the object's own paths,
// and from a dictionary of what an attacker would want to set.
type generator struct {
	r        *rand.Rand
	object   map[string]any
	pointers []string
	places   []string // of evilPointers, those that the kind has
	pairs    []string // of evilPairs too, under the pod's own path
}

func newGenerator(seed uint64, object map[string]any) *generator {
	g := &generator{r: rand.New(rand.NewPCG(seed, 14)), object: object}
	g.collect(object, "")
	for _, k := range kinds() {
		if k.Kind.Kind == object["kind"] {
			g.places, g.pairs = known(evilPointers, k.Type), known(evilPairs, k.Type)
		}
	}
	return g
}

// known are the places that a type has, as they are or in a pod's template.
func known(all []string, t *fields.Type) []string {
	var out []string
	for _, place := range all {
		for _, base := range []string{"", "/spec/template"} {
			pointer, _, _ := strings.Cut(base+place, "=")
			if hasField(t, kustomize.Segments(pointer)) {
				out = append(out, base+place)
			}
		}
	}
	return out
}

func hasField(t *fields.Type, path []string) bool {
	for _, s := range path {
		switch f := t.Field(s); {
		case f != nil:
			t = f.Type
		case t.Elem != nil:
			t = t.Elem
		default:
			return false
		}
	}
	return true
}

func (g *generator) collect(v any, at string) {
	if at != "" {
		g.pointers = append(g.pointers, at)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sortedKeys(v) {
			g.collect(v[k], at+"/"+strings.ReplaceAll(strings.ReplaceAll(k, "~", "~0"), "/", "~1"))
		}
	case []any:
		for i, item := range v {
			g.collect(item, at+"/"+strconv.Itoa(i))
		}
	}
}

func pick[T any](g *generator, from []T) T { return from[g.r.IntN(len(from))] }

// pointer is a place in the object, or one that an attacker knows of, or near.
func (g *generator) pointer() string {
	switch g.r.IntN(6) {
	case 0, 1:
		return pick(g, g.places)
	case 2:
		p := pick(g, g.pointers)
		return p[:strings.LastIndex(p, "/")] + "/" + pick(g, []string{"-", "0", "1", "-1", "x", "name"})
	}
	return pick(g, g.pointers)
}

func (g *generator) value() any {
	if g.r.IntN(3) == 0 {
		v, _ := kustomize.Value(g.object, kustomize.Segments(pick(g, g.pointers)))
		return v
	}
	var v any
	_ = json.Unmarshal([]byte(pick(g, evilValues)), &v)
	return v
}

// operations is a JSON6902 patch.
func (g *generator) operations() string {
	var ops []map[string]any
	for range 1 + g.r.IntN(4) {
		op := map[string]any{"op": pick(g, []string{"add", "add", "replace", "remove", "move", "copy"}), "path": g.pointer()}
		switch op["op"] {
		case "add", "replace":
			op["value"] = g.value()
			if pointer, value, ok := strings.Cut(pick(g, g.pairs), "="); g.r.IntN(2) == 0 && ok {
				op["path"], op["value"] = pointer, json.RawMessage(value)
			}
		case "move", "copy":
			op["from"] = g.pointer()
		}
		ops = append(ops, op)
	}
	b, _ := json.Marshal(ops)
	return string(b)
}

// merge is a document of a strategic merge patch.
func (g *generator) merge() string {
	doc := map[string]any{}
	for range 1 + g.r.IntN(3) {
		pointer, value := g.pointer(), g.mergeValue()
		if p, v, ok := strings.Cut(pick(g, g.pairs), "="); g.r.IntN(2) == 0 && ok {
			pointer = p
			_ = json.Unmarshal([]byte(v), &value)
		}
		g.put(doc, g.object, kustomize.Segments(pointer), value)
	}
	if _, ok := doc["kind"]; !ok {
		doc["kind"] = g.object["kind"]
	}
	meta, _ := doc["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
	}
	if meta["name"] == nil {
		meta["name"] = "any"
	}
	doc["metadata"] = meta
	b, _ := json.Marshal(doc)
	return string(b)
}

func (g *generator) mergeValue() any {
	switch g.r.IntN(5) {
	case 0:
		return nil
	case 1:
		return map[string]any{"$patch": pick(g, []string{"replace", "delete", "merge"})}
	}
	return g.value()
}

// put lays a value into the document under a pointer; an item of a list is
// named by whatever the object's own item has for a key.
func (g *generator) put(doc map[string]any, like any, path []string, value any) {
	own, _ := like.(map[string]any)
	if len(path) == 1 {
		doc[path[0]] = value
		return
	}
	list, isList := own[path[0]].([]any)
	if !isList {
		inner, _ := doc[path[0]].(map[string]any)
		if inner == nil {
			inner = map[string]any{}
		}
		doc[path[0]] = inner
		g.put(inner, own[path[0]], path[1:], value)
		return
	}
	item := map[string]any{}
	var from any
	if i, err := strconv.Atoi(path[1]); err == nil && i >= 0 && i < len(list) {
		from = list[i]
		for _, key := range []string{"name", "mountPath", "containerPort", "port", "protocol", "ip"} {
			if v := dig(from, key); v != nil {
				item[key] = v
			}
		}
	}
	switch {
	case len(path) > 2:
		g.put(item, from, path[2:], value)
	case g.r.IntN(2) == 0:
		item["$patch"] = "delete"
	default:
		if m, ok := value.(map[string]any); ok {
			item = m
		}
	}
	before, _ := doc[path[0]].([]any)
	if g.r.IntN(8) == 0 {
		before = append(before, map[string]any{"$patch": "replace"})
	}
	doc[path[0]] = append(before, item)
}

// patchText is a random patch of the kind that is asked for.
func patchText(seed uint64, object map[string]any, merge bool) string {
	g := newGenerator(seed, object)
	if merge {
		return g.merge()
	}
	return g.operations()
}

// asEntry writes a patch file; JSON strings are YAML's too.
func asEntry(kind, text, options string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf("target: {kind: %s}\noptions: {%s}\npatch: %s\n", kind, options, quoted)
}
