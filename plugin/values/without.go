package values

import (
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// WithoutAll is Without of many settings, in one walk: a file may hold a fault in
// every line, and a copy of the tree for each would take the square of them (R43).
func (t *Tree) WithoutAll(all []fields.Path) *Tree {
	c := &cuts{}
	for _, path := range all {
		c.add(path.Steps())
	}
	return &Tree{root: c.from(t.root), removed: t.removed, names: t.names}
}

// cuts are what is taken out of a map: all of it, or some of what is below.
type cuts struct {
	whole bool
	below map[string]*cuts
}

func (c *cuts) add(steps []fields.Step) {
	if len(steps) == 0 {
		c.whole = true
		return
	}
	name := steps[0].Name
	if c.below[name] == nil {
		if c.below == nil {
			c.below = map[string]*cuts{}
		}
		c.below[name] = &cuts{}
	}
	c.below[name].add(steps[1:])
}

// from is a node without what is cut; what is shared with the tree stays as it is.
func (c *cuts) from(n *source.Node) *source.Node {
	if n == nil || n.Kind != source.Mapping || len(c.below) == 0 {
		return n
	}
	kept := make([]source.Field, 0, len(n.Fields))
	for _, f := range n.Fields {
		switch cut := c.below[f.Key.Value]; {
		case cut == nil:
			kept = append(kept, f)
		case !cut.whole:
			kept = append(kept, source.Field{Key: f.Key, Value: cut.from(f.Value)})
		}
	}
	return n.With(kept, nil).Indexed()
}
