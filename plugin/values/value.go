package values

import (
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// value is a node, nil where nothing is set, and the path that it has or would
// have.
type value struct {
	node *source.Node
	path fields.Path
}

func (t *Tree) value(path ...string) value {
	return value{node: t.root}.child(path...)
}

func (v value) child(path ...string) value {
	for _, key := range path {
		v = value{v.node.Get(key), v.path.Child(key)}
	}
	return v
}

// given reports whether something is set.
func (v value) given() bool { return !v.node.Null() }

// text returns a text, empty where none is set. Of any other value it returns
// nothing: the check of types has refused it.
func (v value) text() string {
	if v.isText() {
		return v.node.Value
	}
	return ""
}

func (v value) isText() bool {
	return v.node != nil && v.node.Kind == source.Scalar && v.node.Tag == "!!str"
}

func (v value) isTrue() bool {
	return v.node != nil && v.node.Kind == source.Scalar && v.node.Tag == "!!bool" && v.node.Any() == true
}

// entries returns the fields of a map; of any other value none.
func (v value) entries() []source.Field {
	if v.node == nil || v.node.Kind != source.Mapping {
		return nil
	}
	return v.node.Fields
}

// items returns the items of a list; of any other value none.
func (v value) items() []value {
	if v.node == nil || v.node.Kind != source.Sequence {
		return nil
	}
	out := make([]value, len(v.node.Items))
	for i, n := range v.node.Items {
		out[i] = value{n, v.path.Index(i)}
	}
	return out
}

// fault returns a fault at the value, with the text found when it is short.
func (v value) fault(code faults.Code, message string) faults.Fault {
	f := v.node.Pos.Fault(code, message)
	f.Field = string(v.path)
	if v.node.Kind == source.Scalar {
		f.Found = short(v.node.Value)
	}
	return f
}

func short(text string) string {
	if r := []rune(text); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return text
}
