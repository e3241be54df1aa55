package values

import (
	"slices"

	"github.com/runkora/kora/internal/source"
)

// merge lays over on top of base as Helm does: maps key by key at any depth,
// everything else replaced, and an explicit null removes what was there. Nodes
// are shared, never changed. A map that both set stands where over has it.
func merge(base, over *source.Node) *source.Node {
	if base == nil || base.Kind != source.Mapping || over.Kind != source.Mapping {
		return withoutNulls(over)
	}
	out := *over
	out.Fields = slices.Clone(base.Fields)
	places := positions(base)
	for _, f := range over.Fields {
		i, known := places[f.Key.Value]
		switch {
		case known && f.Value.Null():
			out.Fields[i].Value = nil
		case known:
			out.Fields[i] = source.Field{Key: f.Key, Value: merge(base.Fields[i].Value, f.Value)}
		case !f.Value.Null():
			out.Fields = append(out.Fields, source.Field{Key: f.Key, Value: withoutNulls(f.Value)})
		}
	}
	out.Fields = slices.DeleteFunc(out.Fields, func(f source.Field) bool { return f.Value == nil })
	return out.Indexed()
}

// positions are the indexes of a mapping's fields by key: looking each one up
// in turn would take quadratic time.
func positions(n *source.Node) map[string]int {
	out := make(map[string]int, len(n.Fields))
	for i, f := range n.Fields {
		out[f.Key.Value] = i
	}
	return out
}

// withoutNulls drops the keys that are null, at any depth of maps. Items of lists
// stay as they are: Helm does not look into lists either.
func withoutNulls(n *source.Node) *source.Node {
	if n.Kind != source.Mapping {
		return n
	}
	kept, same := make([]source.Field, 0, len(n.Fields)), true
	for _, f := range n.Fields {
		if f.Value.Null() {
			same = false
			continue
		}
		value := withoutNulls(f.Value)
		same = same && value == f.Value
		kept = append(kept, source.Field{Key: f.Key, Value: value})
	}
	if same {
		return n
	}
	out := *n
	out.Fields = kept
	return &out
}
