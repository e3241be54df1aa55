package overrides

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// document is the merge patch that sets one field: the value below the steps
// that lead to it. The name is any: the entry's target says which is meant.
func document(k *kind, steps []step, value *source.Node) (*source.Node, *refusal) {
	for _, s := range slices.Backward(steps) {
		var r *refusal
		if value, r = below(s, value); r != nil {
			return nil, r
		}
	}
	out := mapping(
		source.Field{Key: textNode("apiVersion"), Value: textNode(k.version)},
		source.Field{Key: textNode("kind"), Value: textNode(k.name)},
		source.Field{Key: textNode("metadata"), Value: mapping(source.Field{Key: textNode("name"), Value: textNode("any")})},
	)
	return out, overlay(out, value)
}

func mapping(fields ...source.Field) *source.Node {
	return &source.Node{Kind: source.Mapping, Fields: fields}
}

func below(s step, value *source.Node) (*source.Node, *refusal) {
	if s.keys == nil {
		return mapping(source.Field{Key: textNode(s.name), Value: value}), nil
	}
	item := mapping(s.keys...)
	for _, f := range value.Fields {
		set := item.Get(f.Key.Value)
		switch {
		case set == nil:
			item.Fields = append(item.Fields, f)
		case set.Value != f.Value.Value:
			return nil, refuse("%s tells the item from the others of its list, so a merge patch cannot change it", f.Key.Value)
		}
	}
	return &source.Node{Kind: source.Sequence, Items: []*source.Node{item}}, nil
}

// overlay adds the field to the patch, and never to what says which object the
// patch is for: kustomize would drop that in silence.
func overlay(out, value *source.Node) *refusal {
	for _, f := range value.Fields {
		meta := f.Key.Value == "metadata"
		if !meta && out.Get(f.Key.Value) != nil || meta && (f.Value.Get("name") != nil || f.Value.Get("namespace") != nil) {
			return refuse("a patch may not change the identity of an object")
		}
		if meta {
			m := out.Get("metadata")
			m.Fields = append(m.Fields, f.Value.Fields...)
			continue
		}
		out.Fields = append(out.Fields, f)
	}
	return nil
}

// lines writes a map or list in block style. Each scalar takes one line, so
// nothing that a value holds can end the block that it stands in.
func lines(n *source.Node) []string {
	var out []string
	for _, f := range n.Fields {
		key := word(f.Key.Value) + ":"
		if flat, ok := inline(f.Value); ok {
			out = append(out, key+" "+flat)
			continue
		}
		out = append(out, key)
		out = append(out, indented(lines(f.Value), "  ", "  ")...)
	}
	for _, item := range n.Items {
		if flat, ok := inline(item); ok {
			out = append(out, "- "+flat)
			continue
		}
		out = append(out, indented(lines(item), "- ", "  ")...)
	}
	return out
}

func indented(lines []string, first, rest string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = rest + line
	}
	if len(out) > 0 {
		out[0] = first + lines[0]
	}
	return out
}

// inline writes what stands on its key's line.
func inline(n *source.Node) (string, bool) {
	switch {
	case n.Kind == source.Mapping:
		return "{}", len(n.Fields) == 0
	case n.Kind == source.Sequence:
		return "[]", len(n.Items) == 0
	case n.Tag == "!!str" || !bare.MatchString(n.Value):
		return word(n.Value), true
	case n.Tag == "!!int":
		if i, ok := n.Any().(int64); ok {
			return strconv.FormatInt(i, 10), true
		}
	}
	return n.Value, true
}

// bare is a number or boolean, whatever its base or spelling.
var bare = regexp.MustCompile(`^[-+.\w]+$`)

// plainWord is a text that no reader of YAML takes for anything else; the
// words that some do take for a boolean or null are not. A number with the
// unit of a quantity is one.
var (
	plainWord = regexp.MustCompile(`^(?:/?[A-Za-z][-\w./]*|[0-9]+(?:m|[KMGTP]i?))$`)
	otherWord = regexp.MustCompile(`^(?i:true|false|null|yes|no|on|off|y|n)$`)
)

// word writes a text in one line. Go's escapes are all YAML's too, and leave
// out whatever a reader would not see.
func word(text string) string {
	if plainWord.MatchString(text) && !otherWord.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// visible is a text for a comment: one line, nothing that drives a terminal.
func visible(text string) string {
	quoted := strconv.Quote(text)
	if quoted == `"`+text+`"` {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(quoted, `"`), `"`)
}
