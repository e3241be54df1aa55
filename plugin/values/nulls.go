package values

import (
	"maps"
	"slices"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// A null takes a value away: one that earlier values set, and the chart's own too.
// The tree holds none, so it remembers where they stood.

// removes records a key that is null; what was recorded below it counts no more.
func (l *loader) removes(path fields.Path, null *source.Node) {
	l.removed = slices.DeleteFunc(l.removed, func(r Leaf) bool { return r.Path.Within(path) })
	l.removed = append(l.removed, Leaf{path, null})
}

// nulls records those of a values file. Lists keep theirs, as in Helm.
func (l *loader) nulls(n *source.Node, path fields.Path) {
	if n.Kind != source.Mapping {
		return
	}
	for _, f := range n.Fields {
		if below := path.Child(f.Key.Value); f.Value.Null() {
			l.removes(below, &source.Node{Tag: "!!null", Value: "null", Pos: f.Key.Pos})
		} else {
			l.nulls(f.Value, below)
		}
	}
}

// nullsOfFlag records those that a flag sets.
func (l *loader) nullsOfFlag(at source.Pos, plain map[string]any, path fields.Path) {
	for _, key := range slices.Sorted(maps.Keys(plain)) {
		switch v := plain[key].(type) {
		case nil:
			l.removes(path.Child(key), &source.Node{Tag: "!!null", Value: "null", Pos: at})
		case map[string]any:
			l.nullsOfFlag(at, v, path.Child(key))
		}
	}
}

// Removed are the keys that were set to null and to nothing later, in the order in
// which they were given. Each node stands where its key does, or is the flag's.
func (t *Tree) Removed() []Leaf {
	var out []Leaf
	for _, r := range t.removed {
		n, steps := t.root, r.Path.Steps()
		for _, step := range steps[:len(steps)-1] {
			if n != nil && n.Kind == source.Mapping {
				n = n.Get(step.Name)
			}
		}
		if n == nil || n.Kind == source.Mapping && n.Get(steps[len(steps)-1].Name) == nil {
			out = append(out, r)
		}
	}
	return out
}

// Touched is the mapping of all values with the nulls in their places.
func (t *Tree) Touched() *source.Node {
	root := t.root
	for _, r := range t.Removed() {
		root = with(root, r.Path.Steps(), r.Node)
	}
	return root
}

// with sets a key, in maps that it makes where there are none.
func with(n *source.Node, steps []fields.Step, value *source.Node) *source.Node {
	if len(steps) == 0 {
		return value
	}
	if n == nil {
		n = &source.Node{Kind: source.Mapping, Pos: value.Pos}
	}
	below := with(n.Get(steps[0].Name), steps[1:], value)
	list := slices.Clone(n.Fields)
	for i := range list {
		if list[i].Key.Value == steps[0].Name {
			list[i].Value = below
			return n.With(list, nil)
		}
	}
	key := &source.Node{Tag: "!!str", Value: steps[0].Name, Pos: value.Pos}
	return n.With(append(list, source.Field{Key: key, Value: below}), nil)
}

// Plain returns the values as Helm's engine takes them, before it lays them over a
// chart's: a key that was set to null is there, and nil.
func (t *Tree) Plain() map[string]any {
	return t.Touched().Any().(map[string]any)
}

// Nothing is a tree of no values.
func Nothing() *Tree { return &Tree{root: &source.Node{Kind: source.Mapping}} }

// Over returns these values laid over others, such as a chart's own: maps key by
// key, everything else replaced, and what was set to null taken away.
func (t *Tree) Over(other *Tree) *Tree {
	base := other.root
	for _, r := range t.Removed() {
		base = without(base, r.Path.Steps())
	}
	return &Tree{root: merge(base, t.root), removed: t.removed, partial: t.partial}
}
