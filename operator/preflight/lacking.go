package preflight

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// lacking tells of each right that a trial of the release needs and the account has not,
// once and all of them, with the objects that nobody could try for that.
func (v *verdict) lacking() {
	objects, said := map[string][]string{}, map[string]string{}
	for _, a := range v.facts.Release.Value {
		if forbidden.MatchString(a.Untried) {
			right := rightOf(a.Untried)
			objects[right] = append(objects[right], a.Object)
			said[right] = cmp.Or(said[right], a.Untried)
		}
	}
	for _, right := range slices.Sorted(maps.Keys(objects)) {
		v.found = append(v.found, Finding{State: Unchecked, Message: "what the API server says to objects of the release could not be read: a right is missing",
			Object: some(objects[right]), Found: said[right], Fix: v.wayOut(said[right])})
	}
}

// rightOf is what a refusal of RBAC says without the name of the object, which is the same
// right for all of a kind in a namespace.
func rightOf(refused string) string {
	if _, right, ok := strings.Cut(refused, " is forbidden: "); ok {
		return right
	}
	return refused
}
