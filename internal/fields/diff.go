package fields

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Change is one field that two objects differ in. A side that does not have
// the field holds Absent.
type Change struct {
	Path     Path
	From, To any
}

// Absent stands for a field that is not there, which differs from a null.
var Absent = absent{}

type absent struct{}

func (absent) String() string { return "(none)" }

// Diff returns the fields in which after differs from before, ordered by
// path. Both are plain values of type t. Lists that merge by a key are
// compared item by item, whatever their order; other lists as a whole.
// Parts that both share in memory cost nothing.
func Diff(before, after any, t *Type) []Change {
	d := differ{}
	d.value(before, after, t, &Field{Type: t}, "")
	return d.found
}

type differ struct{ found []Change }

func (d *differ) value(a, b any, t *Type, f *Field, at Path) {
	if same(a, b) {
		return
	}
	mapA, okA := a.(map[string]any)
	mapB, okB := b.(map[string]any)
	if okA && (okB || b == Absent) || okB && a == Absent {
		if len(mapA)+len(mapB) > 0 {
			d.maps(mapA, mapB, t, at)
			return
		}
	}
	listA, okA := a.([]any)
	listB, okB := b.([]any)
	if (okA || a == Absent) && (okB || b == Absent) && len(f.Keys) > 0 {
		if keyed(listA, f.Keys) && keyed(listB, f.Keys) && len(listA)+len(listB) > 0 {
			d.lists(listA, listB, f, at)
			return
		}
	}
	if f.byPlace && len(listA) == len(listB) {
		for i := range listA {
			d.value(listA[i], listB[i], t.elem(), &Field{Type: t.elem()}, at.Index(i))
		}
		return
	}
	if !Same(a, b, t) {
		d.found = append(d.found, Change{at, a, b})
	}
}

func (d *differ) maps(a, b map[string]any, t *Type, at Path) {
	for _, name := range union(a, b) {
		f := t.Member(name)
		d.value(get(a, name), get(b, name), f.Type, f, at.Child(name))
	}
}

func (d *differ) lists(a, b []any, f *Field, at Path) {
	byKeyA, byKeyB := index(a, f.Keys), index(b, f.Keys)
	for _, key := range union(byKeyA, byKeyB) {
		d.value(get(byKeyA, key), get(byKeyB, key), f.Type.Elem, &Field{Type: f.Type.Elem}, at+Path(key))
	}
}

// Member is the field of that name of an Object, or what stands for it in a
// Map; of a name that the type does not have, one that may hold anything.
func (t *Type) Member(name string) *Field {
	if f := t.byName[name]; f != nil {
		return f
	}
	if t.Kind == Map {
		return &Field{Name: name, Type: t.Elem}
	}
	return &Field{Name: name, Type: anything}
}

var anything = &Type{Kind: Any}

func union(a, b map[string]any) []string {
	names := slices.AppendSeq(make([]string, 0, len(a)+len(b)), maps.Keys(a))
	for name := range b {
		if _, both := a[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func get(m map[string]any, name string) any {
	if v, ok := m[name]; ok {
		return v
	}
	return Absent
}

// keyed reports whether the keys tell all the items apart.
func keyed(items []any, keys []string) bool {
	seen := make(map[Path]bool, len(items))
	for _, item := range items {
		p, ok := itemPath(item, keys)
		if !ok || seen[p] {
			return false
		}
		seen[p] = true
	}
	return true
}

func index(items []any, keys []string) map[string]any {
	out := make(map[string]any, len(items))
	for _, item := range items {
		p, _ := itemPath(item, keys)
		out[string(p)] = item
	}
	return out
}

// itemPath is the item's part of a path, "[name=x]". The first key must be
// there; further ones, such as a port's protocol, may be left to the default.
func itemPath(item any, keys []string) (Path, bool) {
	m, ok := item.(map[string]any)
	if !ok || m[keys[0]] == nil {
		return "", false
	}
	p := Path("").Item(keys[0], scalarText(m[keys[0]]))
	for _, k := range keys[1:] {
		if v := m[k]; v != nil && v != "TCP" {
			p = p.Item(k, scalarText(v))
		}
	}
	return p, true
}

func scalarText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return ""
}

// same tells without a look inside that both are the same map or list.
func same(a, b any) bool {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	if !va.IsValid() || !vb.IsValid() || va.Kind() != vb.Kind() {
		return false
	}
	switch va.Kind() {
	case reflect.Map:
		return va.Pointer() == vb.Pointer()
	case reflect.Slice:
		return va.Len() == vb.Len() && va.Pointer() == vb.Pointer()
	}
	return false
}

// Same compares two values as the API does: 1 CPU is 1000m.
func Same(a, b any, t *Type) bool {
	if t.Kind == Quantity && a != Absent && b != Absent {
		qa, errA := ParseQuantity(scalarText(a))
		qb, errB := ParseQuantity(scalarText(b))
		if errA == nil && errB == nil {
			return qa.Cmp(qb) == 0
		}
	}
	return reflect.DeepEqual(a, b)
}
