package schema

import (
	"cmp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// teller makes faults of what the library found.
type teller struct {
	doc   any          // the schema
	root  *source.Node // all values, the chart's own among them
	chart *source.Node // the chart's own
	found faults.List

	byField map[string]int                  // where a fault is in found
	indexes map[*source.Node]map[string]int // see field
	names   map[string][]string             // see elsewhere
}

// refuse adds a fault. Of several about one value the first in rank is kept: a
// text that is too short does not match the pattern either.
func (t *teller) refuse(f faults.Fault) {
	if i, known := t.byField[f.Field]; known {
		if rank(f, t.found[i]) < 0 {
			t.found[i] = f
		}
		return
	}
	if t.byField == nil {
		t.byField = map[string]int{}
	}
	t.byField[f.Field] = len(t.found)
	t.found = append(t.found, f)
}

func rank(a, b faults.Fault) int {
	order := []faults.Code{faults.AmbiguousBool, faults.ValueMissing, faults.WrongType, faults.AmbiguousNumber, faults.UnknownField, faults.BadValue}
	return cmp.Or(
		cmp.Compare(slices.Index(order, a.Code), slices.Index(order, b.Code)),
		cmp.Compare(b.Column, a.Column), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Expected, b.Expected),
	)
}

// each tells what an error is made of. One that only holds others says nothing.
func (t *teller) each(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf:
		t.choice(e)
		return
	case *kind.OneOf:
		if k.Subschemas == nil {
			t.choice(e)
			return
		}
	case *badName:
		t.name(k, e)
		return
	case *kind.PropertyNames:
		return // badName has it
	case *kind.Contains, *kind.MinContains, *kind.MaxContains:
	default:
		for _, cause := range e.Causes {
			t.each(cause)
		}
		if len(e.Causes) > 0 {
			return
		}
	}
	t.leaf(e)
}

// choice tells of a value that has none of the forms there are. The form that it
// was meant to have is the one of its type, with the fewest faults; where several
// may be meant, all are named.
func (t *teller) choice(e *jsonschema.ValidationError) {
	at := string(t.path(e.InstanceLocation))
	var best []faults.List
	var types faults.List
	for _, cause := range e.Causes {
		branch := &teller{doc: t.doc, root: t.root, chart: t.chart}
		branch.each(cause)
		switch found := branch.found; {
		case len(found) == 1 && found[0].Field == at && found[0].Code == faults.WrongType:
			types = append(types, found[0])
		case len(best) == 0 || len(found) == len(best[0]):
			best = append(best, found)
		case len(found) < len(best[0]):
			best = []faults.List{found}
		}
	}
	switch {
	case len(best) == 0 && len(types) > 0:
		t.refuse(either(types))
	case len(best) > 0:
		t.branches(best)
	}
}

// branches tells the first of some forms, and what the others want of that value.
func (t *teller) branches(best []faults.List) {
	if len(best[0]) != 1 {
		for _, f := range best[0] {
			t.refuse(f)
		}
		return
	}
	var same faults.List
	for _, branch := range best {
		if branch[0].Field == best[0][0].Field {
			same = append(same, branch[0])
		}
	}
	t.refuse(either(same))
}

// either is one fault of a value that could have satisfied any of several.
func either(list faults.List) faults.Fault {
	f := list[0]
	var expected []string
	for _, each := range list {
		if each.Expected != "" && !slices.Contains(expected, each.Expected) {
			expected = append(expected, each.Expected)
		}
	}
	if len(expected) > 1 {
		f.Expected = or(expected)
		f.Fix = "write " + f.Expected
	}
	return f
}

// name tells of a key that may not be one.
func (t *teller) name(k *badName, e *jsonschema.ValidationError) {
	field := t.path(e.InstanceLocation).Child(k.name)
	node := t.node(e.InstanceLocation)
	place := position(node)
	if f := t.field(node, k.name); f != nil {
		place = f.Key.Pos
	}
	said := t.said(leaves(k.why)[0], &source.Node{Kind: source.Scalar, Tag: "!!str", Value: k.name})
	f := place.Fault(faults.BadValue, said.message)
	f.Field, f.Found, f.Expected, f.Fix = string(field), short(k.name), said.expected, "rename the key"
	t.refuse(f)
}

// leaves are the errors that hold no others, in a fixed order.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		out = append(out, leaves(cause)...)
	}
	slices.SortStableFunc(out, func(a, b *jsonschema.ValidationError) int { return cmp.Compare(a.SchemaURL, b.SchemaURL) })
	return out
}

func (t *teller) leaf(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			t.unknown(e, name)
		}
	case *kind.Required:
		t.missing(e, k.Missing)
	case *kind.Dependency:
		t.missing(e, k.Missing)
	case *kind.DependentRequired:
		t.missing(e, k.Missing)
	default:
		t.wrong(e)
	}
}

// wrong tells of a value that is there and should be another.
func (t *teller) wrong(e *jsonschema.ValidationError) {
	node := t.node(e.InstanceLocation)
	if unread(node) {
		return // its tag is refused already
	}
	if node.AmbiguousBool() {
		t.refuse(word(node, t.path(e.InstanceLocation), "a text in quotes"))
		return
	}
	if k, ok := e.ErrorKind.(*kind.UniqueItems); ok && node != nil && k.Duplicates[1] < len(node.Items) {
		t.refuse(twice(node, t.path(e.InstanceLocation), k.Duplicates))
		return
	}
	said := t.said(e, node)
	if said.code == faults.BadValue && empty(node) && t.mustBeGiven(e.InstanceLocation) {
		t.refuse(t.required(e.InstanceLocation, position(node)))
		return
	}
	f := position(node).Fault(said.code, said.message)
	f.Field, f.Found, f.Expected, f.Fix = string(t.path(e.InstanceLocation)), describe(node), said.expected, said.fix
	t.refuse(f)
}

// unread reports whether a value has a tag that kora does not read.
func unread(n *source.Node) bool {
	known := []string{"!!str", "!!int", "!!bool", "!!float", "!!null"}
	return n != nil && n.Kind == source.Scalar && n.Tag != "" && !slices.Contains(known, n.Tag)
}

func twice(list *source.Node, at fields.Path, items [2]int) faults.Fault {
	second := list.Items[items[1]]
	f := second.Pos.Fault(faults.BadValue, "the item is in the list twice")
	f.Field, f.Found = string(at.Index(items[1])), describe(second)
	f.Expected = "each item once"
	f.Fix = "remove one of the two"
	return f
}
