package patches

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// Entry is one kustomize "patches:" entry under its key, not yet looked at.
type Entry struct {
	Key  string
	Node *source.Node // the entry: target, patch, options
}

// Name is how people find the entry: its values key, or its file.
func (e Entry) Name() string { return e.Key }

// valuesKey is the key in values that faults name, "" of a file of its own.
func (e Entry) valuesKey() string { return e.Node.Pos.File.Key }

// at is where a field of the entry stands.
func (e Entry) at(field string) source.Pos { return e.Node.Get(field).Pos.Under(e.valuesKey()) }

// keyed gives faults at the entry's own fields the values key; those inside
// the patch have it.
func (e Entry) keyed(list faults.List) faults.List {
	for i := range list {
		list[i].Key = e.valuesKey()
	}
	return list
}

const valuesKey = "agents.manifestPatches"

// FromValues returns the entries of agents.manifestPatches, nil being none.
func FromValues(n *source.Node) ([]Entry, faults.List) {
	if n.Null() {
		return nil, nil
	}
	if n.Kind != source.Mapping {
		f := n.Pos.Fault(faults.EntryShape, valuesKey+" is a map from a key to one patch")
		f.Field, f.Found, f.Expected = valuesKey, n.Kind.String(), "a map"
		return nil, faults.List{f}
	}
	var out []Entry
	var found faults.List
	for _, f := range n.Fields {
		if f.Value.Null() {
			continue // Helm's way to take out what another values file set
		}
		key := f.Key.Value
		if errs := validation.IsConfigMapKey(key + ".yaml"); len(errs) > 0 {
			bad := f.Key.Pos.Fault(faults.EntryShape, fmt.Sprintf("the key %q cannot name a file in a ConfigMap", key))
			bad.Field, bad.Found, bad.Expected = valuesKey, key, "letters, digits, '-', '_' and '.'"
			found = append(found, bad)
			continue
		}
		out = append(out, Entry{key, keyed(f.Value, valuesKey+"."+key)})
	}
	return out, found
}

// keyed returns the node with the values key in its place, for the faults.
func keyed(n *source.Node, key string) *source.Node {
	out := *n
	out.Pos = n.Pos.Under(key)
	return &out
}

// Join puts the entries of a directory and of values into one list in apply
// order: bytewise by key (R12). A key that both have is a fault at each place.
func Join(lists ...[]Entry) ([]Entry, faults.List) {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	var found faults.List
	for i := 1; i < len(all); i++ {
		if all[i].Key == all[i-1].Key {
			found = append(found, twice(all[i], all[i-1]))
		}
	}
	if len(all) > MaxEntries {
		f := all[MaxEntries].Node.Pos.Fault(faults.PatchLimit, "too many patches")
		f.Found, f.Expected = fmt.Sprint(len(all)), fmt.Sprintf("at most %d", MaxEntries)
		return nil, append(found, f)
	}
	return all, found
}

func twice(e, first Entry) faults.Fault {
	f := e.Node.Pos.Fault(faults.DuplicateKey, fmt.Sprintf("the key %q is given twice", e.Key))
	f.Found = "also in " + first.Node.Pos.File.Name
	f.Fix = "rename one of the two, or remove it"
	return f
}
