package values

import (
	"maps"
	"slices"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// A null takes a value away: one that earlier values set, and the chart's own too.
// The tree holds none, so it remembers where they stood.

// removes records a key that is null.
func (l *loader) removes(path fields.Path, null *source.Node) {
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
func (t *Tree) Removed() []Leaf { return t.removed }

// effective leaves out what was set again, and what lies below a key that was
// removed as a whole later.
func effective(root *source.Node, all []Leaf) []Leaf {
	var out []Leaf
	later := map[fields.Path]bool{}
	for _, r := range slices.Backward(all) {
		if !shadowed(root, r.Path, later) {
			out = append(out, r)
		}
		later[r.Path] = true
	}
	slices.Reverse(out)
	return out
}

func shadowed(root *source.Node, path fields.Path, later map[fields.Path]bool) bool {
	at, n, steps := fields.Path(""), root, path.Steps()
	for i, step := range steps {
		if at = at.Child(step.Name); later[at] {
			return true
		}
		if n == nil || n.Kind == source.Mapping {
			n = n.Get(step.Name)
		} else if i > 0 {
			return true // what is there now is no map
		}
	}
	return n != nil
}

// Touched is the mapping of all values with the nulls in their places.
func (t *Tree) Touched() *source.Node {
	var all []taken
	for _, r := range t.removed {
		all = append(all, taken{r.Path.Steps(), r.Node})
	}
	return with(t.root, all)
}

// taken is a null that is to stand below some map.
type taken struct {
	steps []fields.Step
	null  *source.Node
}

// with sets keys to null, in maps that it makes where there are none.
func with(n *source.Node, all []taken) *source.Node {
	if len(all) == 0 {
		return n
	}
	if len(all[0].steps) == 0 {
		return all[0].null
	}
	if n == nil {
		n = &source.Node{Kind: source.Mapping, Pos: all[0].null.Pos}
	}
	below, order := map[string][]taken{}, []string(nil)
	for _, m := range all {
		name := m.steps[0].Name
		if below[name] == nil {
			order = append(order, name)
		}
		below[name] = append(below[name], taken{m.steps[1:], m.null})
	}
	list, places := slices.Clone(n.Fields), positions(n)
	for _, name := range order {
		if i, known := places[name]; known {
			list[i].Value = with(list[i].Value, below[name])
			continue
		}
		key := &source.Node{Tag: "!!str", Value: name, Pos: below[name][0].null.Pos}
		list = append(list, source.Field{Key: key, Value: with(nil, below[name])})
	}
	return n.With(list, nil)
}

// Plain returns the values as Helm's engine takes them, before it lays them over a
// chart's: a key that was set to null is there, and nil.
func (t *Tree) Plain() map[string]any {
	return t.Touched().Any().(map[string]any)
}

// Judged is the mapping of all values laid over a chart's, as Helm gives it to the
// chart's schema: a null takes away what the chart has, and stays where the chart
// has nothing, whatever earlier values set there.
func (t *Tree) Judged(chart *Tree) *source.Node {
	var left []taken
	for _, r := range t.removed {
		if steps := r.Path.Steps(); !holds(chart.root, steps) {
			left = append(left, taken{steps, r.Node})
		}
	}
	return with(t.Over(chart).root, left)
}

func holds(n *source.Node, steps []fields.Step) bool {
	for _, step := range steps {
		if n == nil || n.Kind != source.Mapping {
			return false
		}
		n = n.Get(step.Name)
	}
	return n != nil
}

// Nothing is a tree of no values.
func Nothing() *Tree { return &Tree{root: &source.Node{Kind: source.Mapping}} }

// Over returns these values laid over others, such as a chart's own: maps key by
// key, everything else replaced, and what was set to null taken away.
func (t *Tree) Over(other *Tree) *Tree {
	base := other.root
	for _, r := range t.removed {
		base = without(base, r.Path.Steps())
	}
	return &Tree{root: merge(base, t.root), removed: t.removed, partial: t.partial}
}
