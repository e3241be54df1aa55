package values

import (
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/runkora/kora/internal/source"
)

var errTooMany = errors.New("it makes more values, or nests them deeper, than kora reads")

// exposed remembers which plain map was made of which node, by the map's
// address. A map that is still the same afterwards was written into; any other
// is new and replaces what stood there. Holding the map keeps its address taken.
type exposed map[uintptr]exposure

type exposure struct {
	plain map[string]any
	node  *source.Node
}

func (e exposed) add(n *source.Node, size int) map[string]any {
	plain := make(map[string]any, size)
	e[reflect.ValueOf(plain).Pointer()] = exposure{plain, n}
	return plain
}

// of returns the plain value of a node, of maps only the keys that are touched.
func (e exposed) of(n *source.Node, touched any) any {
	keys, ok := touched.(map[string]any)
	if !ok || n.Kind != source.Mapping {
		return e.whole(n)
	}
	plain := e.add(n, len(keys))
	for _, f := range n.Fields {
		if below, ok := keys[f.Key.Value]; ok {
			plain[f.Key.Value] = e.of(f.Value, below)
		}
	}
	return plain
}

func (e exposed) whole(n *source.Node) any {
	switch n.Kind {
	case source.Mapping:
		plain := e.add(n, len(n.Fields))
		for _, f := range n.Fields {
			plain[f.Key.Value] = e.whole(f.Value)
		}
		return plain
	case source.Sequence:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = e.whole(item)
		}
		return items
	}
	return n.Any()
}

// rebuild turns plain values into nodes again: what is unchanged keeps its node,
// and so its place; what changed stands at the flag.
type rebuild struct {
	exposed exposed
	origin  source.Pos
	made    int
	err     error
}

func (r *rebuild) value(old *source.Node, v any, depth int) *source.Node {
	if r.made++; r.made > source.DefaultLimits.Nodes || depth > source.DefaultLimits.Depth {
		r.err = errTooMany
	}
	if r.err != nil {
		return r.scalar(nil)
	}
	switch v := v.(type) {
	case map[string]any:
		if e, ok := r.exposed[reflect.ValueOf(v).Pointer()]; ok {
			return r.mapping(e.node, v, depth)
		}
		return r.mapping(&source.Node{Kind: source.Mapping, Pos: r.origin}, v, depth)
	case []any:
		return r.list(old, v, depth)
	case *source.File:
		return source.Text(v) // places inside the text are places in its file
	}
	if old != nil && old.Kind == source.Scalar && old.Any() == v {
		return old
	}
	return r.scalar(v)
}

func (r *rebuild) mapping(old *source.Node, plain map[string]any, depth int) *source.Node {
	out, places := *old, positions(old)
	out.Fields = slices.Clone(old.Fields)
	for _, key := range slices.Sorted(maps.Keys(plain)) {
		i, known := places[key]
		switch v := plain[key]; {
		case v == nil && known && !old.Fields[i].Value.Null():
			out.Fields[i].Value = nil
		case v == nil:
		case known:
			out.Fields[i].Value = r.value(old.Fields[i].Value, v, depth+1)
		default:
			out.Fields = append(out.Fields, source.Field{Key: r.scalar(key), Value: r.value(nil, v, depth+1)})
		}
	}
	if slices.Equal(out.Fields, old.Fields) {
		return old
	}
	out.Fields = slices.DeleteFunc(out.Fields, func(f source.Field) bool { return f.Value == nil })
	return &out
}

func (r *rebuild) list(old *source.Node, plain []any, depth int) *source.Node {
	if old == nil || old.Kind != source.Sequence {
		old = &source.Node{}
	}
	items := make([]*source.Node, len(plain))
	for i, v := range plain {
		var before *source.Node
		if i < len(old.Items) {
			before = old.Items[i]
		}
		items[i] = r.value(before, v, depth+1)
	}
	if old.Kind == source.Sequence && slices.Equal(items, old.Items) {
		return old
	}
	return &source.Node{Kind: source.Sequence, Items: items, Pos: r.origin}
}

// scalar makes a node of what the parsers return: text, true or false, null,
// int64 of --set, and float64 of --set-json, which is a whole number where it
// has no fraction: JSON does not tell 1 and 1.0 apart.
func (r *rebuild) scalar(v any) *source.Node {
	n := &source.Node{Tag: "!!null", Value: "null", Pos: r.origin}
	switch v := v.(type) {
	case string:
		n.Tag, n.Value = "!!str", v
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(v)
	case int64:
		n.Tag, n.Value = "!!int", strconv.FormatInt(v, 10)
	case float64:
		n.Tag, n.Value = "!!float", strconv.FormatFloat(v, 'g', -1, 64)
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			n.Tag, n.Value = "!!int", strconv.FormatInt(int64(v), 10)
		}
	}
	return n
}
