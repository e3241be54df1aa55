package release

import (
	"fmt"
	"hash/maphash"
	"strconv"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// origins are the maps and lists of the values that somebody gave, by their content
// and the key that they stand under: what a template copies as it is, such as
// resources or tolerations, is found again in what it wrote.
type origins struct {
	seed maphash.Seed
	all  map[uint64][]origin
}

type origin struct {
	node *source.Node
	path fields.Path
}

func newOrigins(root *source.Node) *origins {
	o := &origins{maphash.MakeSeed(), map[uint64][]origin{}}
	o.add(root, "", "")
	return o
}

// add gives the content's number of a node, after those of all in it.
func (o *origins) add(n *source.Node, key string, path fields.Path) uint64 {
	var sum uint64
	switch n.Kind {
	case source.Mapping:
		for _, f := range n.Fields {
			sum += o.pair(f.Key.Value, o.add(f.Value, f.Key.Value, path.Child(f.Key.Value)))
		}
	case source.Sequence:
		for i, item := range n.Items {
			sum = o.pair(strconv.FormatUint(sum, 36), o.add(item, key, path.Index(i)))
		}
	default:
		return o.scalar(n)
	}
	if sum = o.pair(n.Kind.String(), sum); len(n.Fields)+len(n.Items) > 0 && n.Pos.File != nil {
		under := o.pair(key, sum)
		o.all[under] = append(o.all[under], origin{n, path})
	}
	return sum
}

// content is the same number of a node of which nothing is kept.
func (o *origins) content(n *source.Node) uint64 {
	return (&origins{o.seed, map[uint64][]origin{}}).add(n, "", "")
}

func (o *origins) pair(key string, sum uint64) uint64 {
	return maphash.String(o.seed, key+"\x00"+strconv.FormatUint(sum, 36))
}

// scalar counts numbers by their value: a template writes 1 for 1.0.
func (o *origins) scalar(n *source.Node) uint64 {
	v := n.Any()
	if i, ok := v.(int64); ok {
		v = float64(i)
	}
	return maphash.String(o.seed, fmt.Sprintf("%T %v", v, v))
}

// tracedFaults bounds the search: whoever has more faults mends the first.
const tracedFaults = 200

// origin is the place and the path of the value that a field of an object was
// copied from. Of the maps and lists around the field the outermost counts that
// stands in the values under the same key; where it stands there twice, nobody
// knows which it was.
func (p *pass) origin(o *Object, field string) (source.Pos, string, bool) {
	if p.traced++; p.traced > tracedFaults || field == "" {
		return source.Pos{}, "", false
	}
	if p.origins == nil {
		p.origins = newOrigins(p.tree.Root())
	}
	n, key := o.Node, ""
	steps := fields.Path(field).Steps()
	for i, step := range steps {
		if n = child(n, step); n == nil {
			break
		}
		if step.Name != "" {
			key = step.Name
		}
		found := p.origins.all[p.origins.pair(key, p.origins.content(n))]
		if len(found) == 1 {
			at, path := below(found[0], steps[i+1:])
			return at, string(path), true
		}
	}
	return source.Pos{}, "", false
}

// below follows the rest of a path in the values, as far as it goes.
func below(o origin, steps []fields.Step) (source.Pos, fields.Path) {
	at, path, n := o.node.Pos, o.path, o.node
	for _, s := range steps {
		next := child(n, s)
		if next == nil {
			break
		}
		at = next.Pos
		if f := n.Field(s.Name); s.Name != "" && f != nil {
			at, path = f.Key.Pos, path.Child(s.Name)
		} else {
			path = path.Index(index(n, next))
		}
		n = next
	}
	return at, path
}

func index(n, item *source.Node) int {
	for i := range n.Items {
		if n.Items[i] == item {
			return i
		}
	}
	return 0
}
