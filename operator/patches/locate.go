package patches

import (
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// locate returns the place in an edit that is about a field of the object: as
// deep into the document as it names the field.
func (e *edit) locate(at fields.Path) source.Pos {
	steps := at.Steps()
	if e.merge {
		return follow(e.node, e.node.Pos, steps)
	}
	pos, own, value := e.node.Pos, len(e.path), e.node.Get("value")
	if p := e.node.Get("path"); p != nil {
		pos = p.Pos
	}
	if textOf(e.node, "op") == "move" && shared(e.from, steps) > shared(e.path, steps) {
		return e.node.Get("from").Pos
	}
	if value == nil || own >= len(steps) {
		return pos
	}
	return follow(value, pos, steps[own:])
}

// shared counts the steps that a pointer goes along with a path.
func shared(pointer []string, steps []fields.Step) int {
	n := 0
	for n < len(pointer) && n < len(steps) && (steps[n].Name == "" || steps[n].Name == pointer[n]) {
		n++
	}
	return n
}

// follow descends as long as the node has what the next step names.
func follow(n *source.Node, pos source.Pos, steps []fields.Step) source.Pos {
	for _, s := range steps {
		var next *source.Node
		switch {
		case n.Kind == source.Mapping:
			if f := n.Field(s.Name); f != nil {
				next, pos = f.Value, f.Key.Pos
			} else if d := n.Field("$patch"); d != nil {
				return d.Key.Pos
			}
		case n.Kind == source.Sequence:
			if next = item(n, s); next != nil {
				pos = next.Pos
			}
		}
		if next == nil {
			return pos
		}
		n = next
	}
	return pos
}

func item(n *source.Node, s fields.Step) *source.Node {
	if s.Key == "" {
		if s.Index >= 0 && s.Index < len(n.Items) {
			return n.Items[s.Index]
		}
		return nil
	}
	for _, i := range n.Items {
		if v := i.Get(s.Key); v != nil && v.Value == s.Value {
			return i
		}
	}
	return nil
}
