package schema

import (
	"strconv"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// node is the value at a place of the library's, nil where there is none.
func (t *teller) node(location []string) *source.Node {
	n := t.root
	for _, step := range location {
		switch {
		case n == nil:
			return nil
		case n.Kind == source.Mapping:
			if f := t.field(n, step); f != nil {
				n = f.Value
			} else {
				n = nil
			}
		default:
			i, err := strconv.Atoi(step)
			if err != nil || n.Kind != source.Sequence || i < 0 || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
		}
	}
	return n
}

// path is a place of the library's as people read it.
func (t *teller) path(location []string) fields.Path {
	var out fields.Path
	for i, step := range location {
		item, err := strconv.Atoi(step)
		if n := t.node(location[:i]); err == nil && n != nil && n.Kind == source.Sequence {
			out = out.Index(item)
		} else {
			out = out.Child(step)
		}
	}
	return out
}

// field is the entry of a map. Those of a long one are looked up in an index: there
// may be a fault at each.
func (t *teller) field(n *source.Node, key string) *source.Field {
	const long = 32
	if n == nil || len(n.Fields) < long {
		return n.Field(key)
	}
	index := t.indexes[n]
	if index == nil {
		index = make(map[string]int, len(n.Fields))
		for i, f := range n.Fields {
			index[f.Key.Value] = i
		}
		if t.indexes == nil {
			t.indexes = map[*source.Node]map[string]int{}
		}
		t.indexes[n] = index
	}
	if i, known := index[key]; known {
		return &n.Fields[i]
	}
	return nil
}

func position(n *source.Node) source.Pos {
	if n == nil {
		return source.Pos{}
	}
	return n.Pos
}

// around is where a value belongs that nobody gave: the key of the innermost map
// around it that a file of the user's has, or that file, or the flag that made it.
func (t *teller) around(location []string) source.Pos {
	place, n := position(t.root), t.root
	for _, step := range location {
		var next *source.Node
		at := source.Pos{}
		if f := t.field(n, step); f != nil {
			next, at = f.Value, f.Key.Pos
			if f.Value.Pos.File != at.File {
				at = f.Value.Pos // a flag gave a key of a file another value
			}
		} else if n != nil && n.Kind == source.Sequence {
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Items) {
				next = n.Items[i]
				at = next.Pos
			}
		}
		if next == nil {
			break
		}
		if at.File != nil && at.File != position(t.chart).File {
			place = at
		}
		n = next
	}
	return place
}

// empty reports whether a value is a text without letters.
func empty(n *source.Node) bool {
	return n != nil && n.Kind == source.Scalar && n.Tag == "!!str" && n.Value == ""
}

// describe says what a value is, with its text where that is short.
func describe(n *source.Node) string {
	switch {
	case n == nil:
		return ""
	case n.Kind == source.Mapping && len(n.Fields) == 0:
		return "an empty map"
	case n.Kind == source.Sequence && len(n.Items) == 0:
		return "an empty list"
	case n.Kind != source.Scalar:
		return n.Kind.String()
	case n.Tag == "!!str":
		return "the text " + strconv.Quote(short(n.Value))
	case n.Tag == "!!bool":
		return "the boolean " + n.Value
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!int" || n.Tag == "!!float":
		return "the number " + short(n.Value)
	}
	return "a value with the tag " + n.Tag
}
