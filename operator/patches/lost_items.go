package patches

import (
	"fmt"
	"maps"
	"slices"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// lostItems compares a list that merges item by item: each item of the
// document by its key, and that no other item changed or went (R16).
func lostItems(n *source.Node, pos source.Pos, before, made any, t *fields.Field, at fields.Path) *loss {
	was, is := itemsOf(before, t.Keys), itemsOf(made, t.Keys)
	whole, l := listDirective(n)
	switch {
	case l != nil:
		l.path = at
		return l
	case whole == "delete":
		return lostDeleted(n, pos, len(is), at)
	case whole == "replace":
		was = nil
	case len(n.Items) == 0 && len(was) > 0:
		return &loss{pos, at, "an empty list merges nothing", "write the items that are to go, each with $patch: delete, or [{$patch: replace}] for them all"}
	}
	named := map[fields.Path]bool{}
	for i, item := range n.Items {
		if onlyDirective(item) {
			continue
		}
		id := identity(item.Any(), t.Keys)
		if id == "" {
			message, fix := keyless(t.Keys[0])
			return &loss{item.Pos, at.Index(i), message, fix}
		}
		named[id] = true
		if l := lostItem(item, was[id], is[id], t.Type.Elem, at+id); l != nil {
			return l
		}
	}
	return others(pos, was, is, named, t, at)
}

// lostDeleted: a list that is deleted takes its other items with it.
func lostDeleted(n *source.Node, pos source.Pos, left int, at fields.Path) *loss {
	if i := slices.IndexFunc(n.Items, func(i *source.Node) bool { return !onlyDirective(i) }); i >= 0 {
		return &loss{n.Items[i].Pos, at.Index(i), dropped, "write $patch: replace, to have these items alone"}
	}
	if left > 0 {
		return &loss{pos, at, unmoved, fixLeave}
	}
	return nil
}

// lostItem compares one item with those of its key before and after.
func lostItem(item *source.Node, was, is []any, t *fields.Type, at fields.Path) *loss {
	d := directive(item)
	switch {
	case d == "delete" && len(is) > 0:
		return &loss{item.Field("$patch").Key.Pos, at, unmoved, fixLeave}
	case d == "delete":
		return nil
	case d == "replace" && len(is) != 1:
		return &loss{item.Field("$patch").Key.Pos, at, dropped, fixDirective}
	case len(is) != 1 || len(was) > 1:
		return &loss{item.Pos, at, dropped, fixKeys}
	}
	var before any
	if len(was) == 1 {
		before = was[0]
	}
	l := lostMap(item, item.Pos, before, is[0], t, at)
	if l != nil && d == "replace" {
		l.at, l.message, l.fix = item.Field("$patch").Key.Pos, unmoved, fixDirective
	}
	return l
}

// others are the items that the document does not name.
func others(pos source.Pos, was, is map[fields.Path][]any, named map[fields.Path]bool, t *fields.Field, at fields.Path) *loss {
	for _, id := range slices.Sorted(maps.Keys(was)) {
		if !named[id] && (len(is[id]) != len(was[id]) || !unchanged(was[id][0], is[id][0], &fields.Field{Type: t.Type.Elem})) {
			return &loss{pos, at + id, vanished, fixKeys}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(is)) {
		if !named[id] && len(was[id]) == 0 {
			return &loss{pos, at + id, unmoved, fixDirective}
		}
	}
	return nil
}

// listDirective is what an item that holds $patch alone says of the whole list.
func listDirective(n *source.Node) (string, *loss) {
	found := slices.DeleteFunc(slices.Clone(n.Items), func(i *source.Node) bool { return !onlyDirective(i) })
	if len(found) > 1 {
		return "", &loss{at: found[1].Pos, message: "a list takes one $patch", fix: "leave the other out"}
	}
	if len(found) == 0 {
		return "", nil
	}
	return directive(found[0]), nil
}

func onlyDirective(n *source.Node) bool {
	return n.Kind == source.Mapping && len(n.Fields) == 1 && n.Get("$patch") != nil
}

func itemsOf(v any, keys []string) map[fields.Path][]any {
	list, _ := v.([]any)
	out := make(map[fields.Path][]any, len(list))
	for _, item := range list {
		id := identity(item, keys)
		out[id] = append(out[id], item)
	}
	return out
}

// identity tells an item by its keys, as a path does; "" without the first
// one. A protocol that is not said is TCP.
func identity(item any, keys []string) fields.Path {
	m, _ := item.(map[string]any)
	if m[keys[0]] == nil {
		return ""
	}
	id := fields.Path("").Item(keys[0], fmt.Sprint(m[keys[0]]))
	for _, k := range keys[1:] {
		if v := m[k]; v != nil && v != "TCP" {
			id = id.Item(k, fmt.Sprint(v))
		}
	}
	return id
}
