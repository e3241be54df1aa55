package overrides

import (
	"slices"

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
