package patches

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// loss is where what kustomize made of an object is not what a merge document
// says. kustomize is silent about it: a misread list item is dropped, or takes
// the whole list with it (R16).
type loss struct {
	at           source.Pos
	path         fields.Path
	message, fix string
}

const (
	dropped  = "kustomize drops this without a word"
	vanished = "kustomize takes this out of the object without a word, though the patch does not say so"
	unmoved  = "kustomize does not do what this says, without a word"

	fixKeys      = "name every key of the list's items, such as a port's protocol, or use a JSON6902 patch"
	fixDirective = "leave $patch out, so that the fields merge, or use a JSON6902 replace"
	fixLeave     = "leave it out, or use a JSON6902 patch"
)

// lost returns the first thing that a merge document says and the merge did
// not do, or that the merge did and the document does not say.
func lost(doc *source.Node, before, made map[string]any, t *fields.Type) *loss {
	if directive(doc) != "" {
		return nil // of the whole object: the guard's to judge
	}
	return lostMap(doc, doc.Pos, before, made, t, "")
}

func directive(n *source.Node) string {
	if d := n.Get("$patch"); n.Kind == source.Mapping && !d.Null() {
		return d.Value
	}
	return ""
}

// fixed is true of the fields that kustomize always keeps: they say which
// object is meant.
func fixed(p fields.Path) bool {
	return slices.Contains([]fields.Path{"apiVersion", "kind", "metadata.name", "metadata.namespace"}, p)
}

// lostMap compares a map of the document with the object's before and after.
func lostMap(n *source.Node, pos source.Pos, before, made any, t *fields.Type, at fields.Path) *loss {
	was, _ := before.(map[string]any)
	is, there := made.(map[string]any)
	switch directive(n) {
	case "delete":
		if len(is) > 0 {
			return &loss{n.Field("$patch").Key.Pos, at, unmoved, fixLeave}
		}
		return nil
	case "replace":
		was, pos = nil, n.Field("$patch").Key.Pos
	default:
		if len(n.Fields) == 0 && !there {
			return &loss{pos, at, dropped, fixLeave} // an {} that means something, such as emptyDir: {}
		}
	}
	for _, f := range n.Fields {
		path := at.Child(f.Key.Value)
		if f.Key.Value == "$patch" || fixed(path) {
			continue
		}
		if l := lostField(f, was[f.Key.Value], is, t.Member(f.Key.Value), path); l != nil {
			return l
		}
	}
	return unsaid(n, pos, was, is, t, at)
}

// unsaid looks for what became of fields that the document does not name.
func unsaid(n *source.Node, pos source.Pos, was, is map[string]any, t *fields.Type, at fields.Path) *loss {
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if n.Field(name) == nil && !unchanged(was[name], is[name], t.Member(name)) {
			return &loss{pos, at.Child(name), vanished, fixLeave}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, had := was[name]; !had && is[name] != nil && n.Field(name) == nil && !fixed(at.Child(name)) {
			return &loss{pos, at.Child(name), unmoved, fixDirective}
		}
	}
	return nil
}

func unchanged(was, is any, f *fields.Field) bool {
	return reflect.DeepEqual(was, is) || len(fields.Diff(map[string]any{"": was}, map[string]any{"": is}, anyOf(f))) == 0
}

// anyOf is a type whose members are all the field, for comparing two values.
func anyOf(f *fields.Field) *fields.Type { return &fields.Type{Kind: fields.Map, Elem: f.Type} }

func lostField(f source.Field, before any, in map[string]any, t *fields.Field, at fields.Path) *loss {
	made := in[f.Key.Value]
	switch {
	case f.Value.Null():
		if made != nil {
			return &loss{f.Key.Pos, at, unmoved, fixLeave}
		}
		return nil
	case f.Value.Kind == source.Mapping:
		return lostMap(f.Value, f.Key.Pos, before, made, t.Type, at)
	case f.Value.Kind == source.Sequence && merges(t):
		return lostItems(f.Value, f.Key.Pos, before, made, t, at)
	case f.Value.Kind == source.Sequence:
		return lostList(f.Value, f.Key.Pos, made, t, at)
	}
	if want := f.Value.Any(); !reflect.DeepEqual(want, made) && !fields.Same(want, made, t.Type) {
		return &loss{f.Key.Pos, at, dropped, fixKeys}
	}
	return nil
}

func merges(t *fields.Field) bool { return len(t.Keys) > 0 && strings.Contains(t.Strategy, "merge") }

// lostList compares a list that is replaced as a whole.
func lostList(n *source.Node, pos source.Pos, made any, t *fields.Field, at fields.Path) *loss {
	for i, item := range n.Items {
		if d := item.Field("$patch"); d != nil && item.Kind == source.Mapping {
			return &loss{d.Key.Pos, at.Index(i), "kustomize does not act on $patch in a list without a merge key", "write the whole list without $patch"}
		}
	}
	if unchanged(solid(n.Any()), solid(made), t) || len(n.Items) == 0 && made == nil {
		return nil
	}
	return &loss{pos, at, dropped, fixLeave}
}

// solid leaves out the nulls, which are written or not as one likes.
func solid(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, item := range v {
			if item != nil {
				out[k] = solid(item)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = solid(item)
		}
		return out
	}
	return v
}

func (l *loss) fault(o *Object) *faults.Fault {
	f := l.at.Fault(faults.CannotApply, l.message)
	f.Object, f.Field, f.Fix = o.Title(), string(l.path), l.fix
	return &f
}

func keyless(key string) (message, fix string) {
	return fmt.Sprintf("an item of this list is told by its %s: without it kustomize empties the list without a word", key), fmt.Sprintf("add %s to the item", key)
}
