package fields

import (
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// Sieve is Check for a document of a strategic merge patch, which may hold
// nulls and directives. It returns what is left of it without the fields and values that were refused: so that one fault does not hide what
// the rest of a patch would do (R15).
func Sieve(n *source.Node, t *Type) (*source.Node, faults.List) {
	c := Checker{Patch: true, bad: map[*source.Node]bool{}}
	c.value(n, t, "")
	if len(c.bad) == 0 {
		return n, c.found
	}
	return sieve(n, c.bad), c.found
}

// sieve copies the tree without the bad nodes, nil where the node itself is one.
func sieve(n *source.Node, bad map[*source.Node]bool) *source.Node {
	if bad[n] {
		return nil
	}
	var rest []source.Field
	for _, f := range n.Fields {
		if value := sieve(f.Value, bad); value != nil && !bad[f.Key] {
			rest = append(rest, source.Field{Key: f.Key, Value: value})
		}
	}
	var items []*source.Node
	for _, item := range n.Items {
		if item = sieve(item, bad); item != nil {
			items = append(items, item)
		}
	}
	return n.With(rest, items)
}
