package patches

import (
	"reflect"
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// loss is a field of a merge patch that the merge left without effect.
type loss struct {
	at   source.Pos
	path fields.Path
}

// lost returns the first field of a merge document that is not in what the
// merge made. kustomize says nothing when it drops one: a port that is there
// already, named without its protocol, stays as it was (R16).
func lost(doc *source.Node, made map[string]any, t *fields.Type) *loss {
	for _, f := range doc.Fields {
		switch f.Key.Value {
		case "apiVersion", "kind":
			continue // they say which object is meant
		}
		field := t.Member(f.Key.Value)
		if l := lostField(f, made, field, fields.Path("").Child(f.Key.Value)); l != nil && !named(l.path) {
			return l
		}
	}
	return nil
}

// named is true of the two fields that kustomize always keeps.
func named(p fields.Path) bool { return p == "metadata.name" || p == "metadata.namespace" }

func lostField(f source.Field, made map[string]any, t *fields.Field, at fields.Path) *loss {
	if f.Value.Null() || f.Key.Value == "$patch" {
		return nil
	}
	v, ok := made[f.Key.Value]
	if !ok {
		if f.Value.Kind == source.Scalar {
			return &loss{f.Key.Pos, at}
		}
		v = nil // all it holds may be nulls and directives
	}
	return lostValue(f.Value, f.Key.Pos, v, t, at)
}

func lostValue(n *source.Node, pos source.Pos, v any, t *fields.Field, at fields.Path) *loss {
	switch n.Kind {
	case source.Mapping:
		return lostMap(n, v, t, at)
	case source.Sequence:
		return lostList(n, v, t, at)
	}
	if !reflect.DeepEqual(n.Any(), v) && !fields.Same(n.Any(), v, t.Type) {
		return &loss{pos, at}
	}
	return nil
}

func lostMap(n *source.Node, v any, t *fields.Field, at fields.Path) *loss {
	if d := n.Get("$patch"); d != nil && d.Value == "delete" {
		return nil
	}
	made, _ := v.(map[string]any)
	for _, f := range n.Fields {
		path := at.Child(f.Key.Value)
		if named(path) {
			continue
		}
		if l := lostField(f, made, t.Type.Member(f.Key.Value), path); l != nil {
			return l
		}
	}
	return nil
}

// lostList looks for the items of a list that merges by keys; any other list
// is replaced as a whole, which cannot get lost.
func lostList(n *source.Node, v any, t *fields.Field, at fields.Path) *loss {
	made, _ := v.([]any)
	if len(t.Keys) == 0 || t.Strategy == "" {
		return nil
	}
	for _, item := range n.Items {
		key := item.Get(t.Keys[0])
		if item.Kind != source.Mapping || key.Null() || item.Get("$patch") != nil {
			continue
		}
		path := at.Item(t.Keys[0], key.Value)
		if !slices.ContainsFunc(made, func(m any) bool {
			return lostMap(item, m, &fields.Field{Type: t.Type.Elem}, path) == nil
		}) {
			return &loss{item.Pos, path}
		}
	}
	return nil
}

func (l *loss) fault(o *Object) *faults.Fault {
	f := l.at.Fault(faults.CannotApply, "kustomize drops this without a word")
	f.Object, f.Field = o.Title(), string(l.path)
	f.Fix = "name every key of the list's items, such as a port's protocol, or use a JSON6902 patch"
	return &f
}
