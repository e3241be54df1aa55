package source

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Kind is the shape of a node.
type Kind int

// The three shapes that are left once aliases are expanded.
const (
	Scalar Kind = iota
	Mapping
	Sequence
)

// String names the shape as a message would.
func (k Kind) String() string { return [...]string{"a scalar", "a map", "a list"}[k] }

// Node is one YAML value and the place where it stands. Nodes are never
// changed once parsed, so trees may share them.
type Node struct {
	Kind   Kind
	Tag    string // "!!str", "!!int", "!!bool", "!!float", "!!null", … of a scalar
	Value  string // the text of a scalar, escapes resolved
	Plain  bool   // a scalar without quotes, not a block
	Fields []Field
	Items  []*Node
	Pos    Pos

	index map[string]int // of a long mapping: where each key stands in Fields
	first *Field         // the Fields that index is of, which a copy may replace
	style yaml.Style
	raw   bool // the value is the whole text of Pos.File
}

// Field is one entry of a mapping.
type Field struct{ Key, Value *Node }

// Get returns the value of a mapping's key, nil where there is none.
func (n *Node) Get(key string) *Node {
	if f := n.Field(key); f != nil {
		return f.Value
	}
	return nil
}

// Field returns the entry of a mapping with both positions, nil where there is none.
func (n *Node) Field(key string) *Field {
	if n == nil {
		return nil
	}
	if len(n.index) > 0 && len(n.index) == len(n.Fields) && n.first == &n.Fields[0] {
		if i, ok := n.index[key]; ok {
			return &n.Fields[i]
		}
		return nil
	}
	for i := range n.Fields {
		if n.Fields[i].Key.Value == key {
			return &n.Fields[i]
		}
	}
	return nil
}

// Marker is where the line --- stands that begins the document whose first node
// this is, the node's own place where there is none.
func (n *Node) Marker() Pos {
	if n.Pos.File == nil {
		return n.Pos
	}
	for line := n.Pos.Line; line > 0; line-- {
		text := n.Pos.File.Line(line)
		if rest := strings.TrimLeft(text, " "); strings.HasPrefix(rest, "---") {
			return Pos{n.Pos.File, line, len(text) - len(rest) + 1}
		}
	}
	return n.Pos
}

// With returns the node holding other fields and items.
func (n *Node) With(fields []Field, items []*Node) *Node {
	out := *n
	out.Fields, out.Items = fields, items
	return &out
}

// Indexed returns the node itself, made ready for many lookups. It is for a mapping
// that was put together and that nobody shares yet.
func (n *Node) Indexed() *Node {
	n.indexed()
	return n
}

// indexed makes looking up a key of a long mapping cheap: thousands of faults
// may ask for one each.
func (n *Node) indexed() {
	const long = 16
	if len(n.Fields) <= long {
		return
	}
	n.index, n.first = make(map[string]int, len(n.Fields)), &n.Fields[0]
	for i, f := range n.Fields {
		n.index[f.Key.Value] = i
	}
}

// Tagged reports whether the tag of a scalar was written out.
func (n *Node) Tagged() bool { return n != nil && n.style&yaml.TaggedStyle != 0 }

// Null reports whether the node is absent or an explicit null.
func (n *Node) Null() bool { return n == nil || n.Kind == Scalar && n.Tag == "!!null" }

// Any returns the plain value as encoding/json would give it, with int64 and
// float64 kept apart, which is what the Kubernetes converters want.
func (n *Node) Any() any {
	switch n.Kind {
	case Mapping:
		out := make(map[string]any, len(n.Fields))
		for _, f := range n.Fields {
			out[f.Key.Value] = f.Value.Any()
		}
		return out
	case Sequence:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = item.Any()
		}
		return out
	}
	return ScalarValue(n.Tag, n.Value)
}

// ScalarValue returns the Go value of a scalar's text under its YAML tag; a
// text that does not fit its tag stays a string.
func ScalarValue(tag, value string) any {
	switch tag {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(value, "true")
	case "!!int":
		if i, err := strconv.ParseInt(value, 10, 64); err == nil && !octalLooking(value) {
			return i
		}
		return decoded(tag, value)
	case "!!float":
		return decoded(tag, value)
	}
	return value
}

// octalLooking is true of "0777", which YAML reads by base eight.
func octalLooking(value string) bool {
	return len(value) > 1 && strings.TrimLeft(value, "+-")[0] == '0' && value != "0"
}

func decoded(tag, value string) any {
	var out any
	if err := (&yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}).Decode(&out); err != nil {
		return value
	}
	switch v := out.(type) {
	case int:
		return int64(v)
	case uint64:
		return float64(v)
	}
	return out
}

// boolWords are the plain words that YAML 1.1 (Helm's reading) takes for a
// boolean and YAML 1.2 (kustomize's) for a string.
var boolWords = map[string]bool{
	"y": true, "Y": true, "yes": true, "Yes": true, "YES": true, "on": true, "On": true, "ON": true,
	"n": true, "N": true, "no": true, "No": true, "NO": true, "off": true, "Off": true, "OFF": true,
}

// AmbiguousBool reports whether the two YAML versions differ about this scalar.
func (n *Node) AmbiguousBool() bool { return n.Kind == Scalar && n.Plain && boolWords[n.Value] }

// YAML returns the node as the YAML library has it, without comments, aliases
// and places.
func (n *Node) YAML() *yaml.Node {
	switch n.Kind {
	case Mapping:
		out := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		for _, f := range n.Fields {
			out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: f.Key.Value}, f.Value.YAML())
		}
		return out
	case Sequence:
		out := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, item := range n.Items {
			out.Content = append(out.Content, item.YAML())
		}
		return out
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value}
}
