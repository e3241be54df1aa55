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
		f.Fix = "write a key, such as 50-nodeselector, and the entry below it"
		return nil, faults.List{f}
	}
	var out []Entry
	var found faults.List
	for _, f := range n.Fields {
		if f.Value.Null() {
			continue // Helm's way to take out what another values file set
		}
		key := f.Key.Value
		if !namesFile(key) {
			found = append(found, badKey(f.Key))
			continue
		}
		out = append(out, Entry{key, keyed(f.Value, valuesKey+"."+key)})
	}
	return out, found
}

// namesFile reports whether the file of a key, as the chart mounts it, is one
// that Load reads: a name without a key, or with a dot first, it passes by (R12).
func namesFile(key string) bool {
	return key != "" && key[0] != '.' && len(validation.IsConfigMapKey(key+".yaml")) == 0
}

func badKey(n *source.Node) faults.Fault {
	f := n.Pos.Fault(faults.EntryShape, fmt.Sprintf("the key %q cannot name a patch file in a ConfigMap", n.Value))
	f.Field, f.Found = valuesKey, n.Value
	f.Expected = "letters, digits, '-', '_' and '.', no dot first, at most 248 in all"
	f.Fix = "rename the key, such as 50-nodeselector"
	return f
}

// keyed returns the node with the values key in its place, for the faults.
func keyed(n *source.Node, key string) *source.Node {
	out := *n
	out.Pos = n.Pos.Under(key)
	return &out
}

// Join puts the entries of a directory and of values into one list in apply
// order: bytewise by key (R12). A key that both have is a fault at the later
// one, which is left out: applied as well, it would be told to overwrite itself.
func Join(lists ...[]Entry) ([]Entry, faults.List) {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	var found faults.List
	var out []Entry
	for _, e := range all {
		if last := len(out) - 1; last >= 0 && out[last].Key == e.Key {
			found = append(found, twice(e, out[last]))
			continue
		}
		out = append(out, e)
	}
	if len(all) > MaxEntries {
		return nil, append(found, tooMany(all[MaxEntries].Node.Pos, len(all)))
	}
	return out, found
}

func tooMany(at source.Pos, count int) faults.Fault {
	f := at.Fault(faults.PatchLimit, "too many patches")
	f.Found, f.Expected = fmt.Sprint(count), fmt.Sprintf("at most %d", MaxEntries)
	f.Fix = "merge patches of one target into one"
	return f
}

func twice(e, first Entry) faults.Fault {
	f := e.Node.Pos.Fault(faults.DuplicateKey, fmt.Sprintf("the key %q is given twice", e.Key))
	f.Found = "also in " + first.Node.Pos.File.Name
	f.Fix = "rename one of the two, or remove it"
	return f
}

func lookup(n *source.Node, path []string) *source.Node {
	for _, name := range path {
		if n = n.Get(name); n == nil {
			return nil
		}
	}
	return n
}

func isTrue(entry *source.Node, option string) bool {
	v := lookup(entry, []string{"options", option})
	return !v.Null() && v.Any() == true
}

// object names the kind in faults that were found before there was an object.
func object(list faults.List, k kind) faults.List {
	for i := range list {
		list[i].Object = k.Kind.Kind
	}
	return list
}
