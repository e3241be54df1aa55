package kustomize

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// part says how much of an object an edit was shown. A nil part is all of it.
type part struct {
	fields map[string]*part // of a map: those shown
	key    string           // of a list that merges by this key
	items  map[string]*part // of such a list, by the key's value: those shown
	rest   []any            // of such a list: those not shown, in order
	deep   map[int]*part    // of any other list, by place: those shown in part
	length int              // of such a list
}

// back puts what an edit made of a part into the object the part is of. What
// was not shown is shared with the object.
func (p *part) back(whole any, made *yaml.Node) any {
	switch whole := whole.(type) {
	case map[string]any:
		if p != nil && p.fields != nil && made.Kind == yaml.MappingNode {
			return p.backMap(whole, made)
		}
	case []any:
		if p != nil && made.Kind == yaml.SequenceNode {
			return p.backList(whole, made)
		}
	}
	return fromYAML(made)
}

func (p *part) backMap(whole map[string]any, made *yaml.Node) any {
	out := make(map[string]any, len(whole)+1)
	for k, v := range whole {
		if _, shown := p.fields[k]; !shown {
			out[k] = v
		}
	}
	for i := 0; i+1 < len(made.Content); i += 2 {
		name := made.Content[i].Value
		out[name] = p.fields[name].back(whole[name], made.Content[i+1])
	}
	return out
}

func (p *part) backList(whole []any, made *yaml.Node) any {
	if p.key != "" {
		return p.backKeyed(whole, made)
	}
	out := make([]any, len(made.Content))
	for i, item := range made.Content {
		switch h := hidden(item); {
		case h >= 0 && h < len(whole):
			out[i] = whole[h]
		case p.deep[i] != nil && len(made.Content) == p.length:
			out[i] = p.deep[i].back(whole[i], item)
		default:
			out[i] = fromYAML(item)
		}
	}
	return out
}

// backKeyed puts the items that were not shown where the first of them, which
// stood for all, came out: kustomize keeps them together and in order, behind
// what the patch names.
func (p *part) backKeyed(whole []any, made *yaml.Node) any {
	byKey := make(map[string]any, len(whole))
	for _, item := range whole {
		byKey[keyOf(item, p.key)] = item
	}
	out := make([]any, 0, len(made.Content)+len(p.rest))
	for _, item := range made.Content {
		key := ""
		if k := field(item, p.key); k != nil {
			key = k.Value
		}
		shown, named := p.items[key]
		switch {
		case named:
			out = append(out, shown.back(byKey[key], item))
		case byKey[key] != nil:
			out = append(out, p.rest...)
		default:
			out = append(out, fromYAML(item))
		}
	}
	return out
}

// keyOf is the text of an item's merge key, empty where it has none.
func keyOf(item any, key string) string {
	m, _ := item.(map[string]any)
	if v, ok := m[key]; ok {
		if n := toYAML(v); n.Kind == yaml.ScalarNode {
			return n.Value
		}
	}
	return ""
}

// A list item that an edit does not name is hidden behind its place, in a
// text that no Kubernetes field can hold.
const hiddenMark = "\x00kora item "

func hide(i int) *yaml.Node { return text(hiddenMark + strconv.Itoa(i)) }

func hidden(n *yaml.Node) int {
	rest, ok := strings.CutPrefix(n.Value, hiddenMark)
	if i, err := strconv.Atoi(rest); ok && err == nil && n.Kind == yaml.ScalarNode {
		return i
	}
	return -1
}
