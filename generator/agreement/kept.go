package agreement

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
)

// Kept compares the environment that was named with the one of the same name that
// a generated folder keeps, and that Helmfile reads: a fault for each fact that
// they tell differently, at its place in the one that was named (R38, R39).
func Kept(named, kept environment.Placed) faults.List {
	var found faults.List
	for _, path := range differing(named.Map(), kept.Map(), "") {
		at, other := named.At(path), kept.At(path)
		f := faults.New(faults.EnvironmentSplit, "")
		f.File = named.File
		if at.File != nil {
			f = at.Fault(faults.EnvironmentSplit, "")
		}
		where := kept.File
		if other.File != nil {
			where = place(other)
		}
		f.Message = fmt.Sprintf("%s is not what it is in the environment of this name that the folder keeps, and that Helmfile reads: %s", path, where)
		f.Field, f.Found, f.Expected = path, shown(environment.At(named.Map(), path)), shown(environment.At(kept.Map(), path))
		f.Fix = fmt.Sprintf("keep the facts in one file: name %s with -e, or copy the one that is right over the other", kept.File)
		found = append(found, f)
	}
	return found
}

// differing are the paths of the facts that two environments tell differently. A
// map of names that are no facts is one.
func differing(a, b map[string]any, at string) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(a)) {
		path := key
		if at != "" {
			path = at + "." + key
		}
		below, isMap := a[key].(map[string]any)
		other, both := b[key].(map[string]any)
		switch {
		case isMap && both && key != "nodeSelector":
			out = append(out, differing(below, other, path)...)
		case !reflect.DeepEqual(a[key], b[key]):
			out = append(out, path)
		}
	}
	return out
}
