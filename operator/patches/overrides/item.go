package overrides

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// item is an item of a list that merges by a key: a merge patch names it by
// the key's value. Any other list a merge patch can only replace as a whole.
func (p *path) item() *refusal {
	if len(p.f.Keys) == 0 || p.f.Type.Elem.Kind != fields.Object {
		return p.alone()
	}
	text, literal, r := p.segment(p.separator())
	if r != nil {
		return r
	}
	keys, built, r := p.find(text, literal)
	if r != nil {
		return r
	}
	at := p.at
	for _, k := range keys {
		if k.Value.Value != "TCP" { // a port's default, which paths leave out
			at = at.Item(k.Key.Value, k.Value.Value)
		}
	}
	p.into(step{keys: keys}, at, &fields.Field{Type: p.f.Type.Elem}, built)
	return nil
}

func (p *path) alone() *refusal {
	if p.at == "spec.volumeClaimTemplates" {
		return refuse("the workspace's claim is a patch target of its own").
			fixed("use the kind PersistentVolumeClaim, or " + byHand)
	}
	return refuse("a merge patch replaces %s as a whole, so one item of it cannot be translated alone", p.at).
		fixed("write the whole list at %s in one patch by hand, then remove the variables", p.at)
}

// find returns what tells the item from the others. One that kora builds is
// found by its key, its place, or its name; any other text is a new item's key.
func (p *path) find(text string, literal bool) ([]source.Field, any, *refusal) {
	by, text := p.selector(text, literal)
	if found := p.matching(by, text); len(found) > 0 {
		return p.one(found, text)
	}
	if i, err := strconv.Atoi(text); err == nil && !literal && by == "" {
		items, _ := p.built.([]any)
		switch {
		case i >= 0 && i < len(items):
			return p.one(items[i:i+1], text)
		case p.keyType().Kind != fields.Int:
			return nil, nil, refuse("there is no item %d: kora builds %d at %s", i, len(items), p.at).fixed("name the item by its %s", p.f.Keys[0])
		}
	}
	return p.added(by, text)
}

// selector reads [name=x]; any other text is of no given key.
func (p *path) selector(text string, literal bool) (by, value string) {
	by, value, ok := strings.Cut(text, "=")
	if !ok || literal || p.f.Type.Elem.Field(by) == nil {
		return "", text
	}
	if unquoted, err := strconv.Unquote(value); err == nil {
		value = unquoted
	}
	return by, value
}

func (p *path) keyType() *fields.Type { return p.f.Type.Elem.Field(p.f.Keys[0]).Type }

// matching are the items that kora builds with that key, or else that name.
func (p *path) matching(by, text string) []any {
	if by != "" {
		return p.having(by, text, same)
	}
	key := p.f.Keys[0]
	found := p.having(key, text, same)
	if len(found) == 0 && key == "name" && p.f.Type.Elem.Name != "EnvVar" { // a variable's name minds its case
		found = p.having(key, text, alike)
	}
	if len(found) == 0 && key != "name" {
		found = p.having("name", text, alike)
	}
	return found
}

func same(a, b string) bool  { return a == b }
func alike(a, b string) bool { return folded(a) == folded(b) }

func (p *path) having(key, text string, equal func(a, b string) bool) []any {
	items, _ := p.built.([]any)
	var out []any
	for _, item := range items {
		if v := member(item, key); v != nil && equal(fmt.Sprint(v), text) {
			out = append(out, item)
		}
	}
	return out
}

// one takes over every key of an item that kora builds.
func (p *path) one(found []any, text string) ([]source.Field, any, *refusal) {
	if len(found) > 1 {
		return nil, nil, refuse("%d items of %s are called %q", len(found), p.at, shown(text)).fixed("name the item by its %s", p.f.Keys[0])
	}
	var keys []source.Field
	for _, key := range p.f.Keys {
		if v := member(found[0], key); v != nil {
			keys = append(keys, source.Field{Key: textNode(key), Value: keyNode(v)})
		}
	}
	return keys, found[0], nil
}

// added is an item that kora does not build. Where it takes two keys to name
// one, only a port's protocol has a default.
func (p *path) added(by, text string) ([]source.Field, any, *refusal) {
	key := p.f.Keys[0]
	if by != "" && by != key || len(p.f.Keys) > 1 && p.f.Keys[1] != "protocol" {
		return nil, nil, refuse("kora builds no item %q at %s, and the name alone does not make one", shown(text), p.at)
	}
	value := textNode(text)
	if p.keyType().Kind == fields.Int {
		i, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, nil, refuse("kora builds no item %q at %s", shown(text), p.at).expecting(fmt.Sprintf("a number that is a %s", key))
		}
		value = keyNode(i)
	}
	return []source.Field{{Key: textNode(key), Value: value}}, nil, nil
}
