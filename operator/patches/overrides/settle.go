package overrides

import (
	"slices"
	"strconv"

	"github.com/runkora/kora/internal/faults"
)

// maxApplied bounds how often a patch is applied to find out whether all are
// accepted together: to apply one takes a quarter of a millisecond, and those
// for all agent types are applied again for each one that is named.
const maxApplied = 20_000

// settle renders every agent type that is named, and one that is not, with all
// the patches for it, until none is refused. What was taken out is tried again
// only where it was one of them. False where that would take too long.
func settle(left []*candidate, version string) bool {
	applied := 0
	for next := affected([]string{""}, left); len(next) > 0; {
		for _, slug := range next {
			applied += len(concerning(left, slug))
		}
		if applied > maxApplied {
			return false
		}
		var again []string
		for _, slug := range next {
			again = append(again, refused(left, slug, version)...)
		}
		left = accepted(left)
		next = affected(again, left)
	}
	return true
}

// refused takes out of one agent type's patches those that kora does not take,
// and returns the agent types that this concerns, "" for all.
func refused(list []*candidate, slug, version string) []string {
	var out []string
	for _, f := range tried(list, slug, version) {
		if f.Severity == faults.Warning {
			continue
		}
		c := culprit(list, slug, f)
		if c.why == nil || f.Code == faults.AddedContainer { // which also tells the way out
			c.why = because(f)
		}
		out = append(out, slug, c.slug)
	}
	return out
}

// affected are the agent types to try again: all, where a patch for all was
// taken out.
func affected(again []string, left []*candidate) []string {
	switch {
	case len(left) == 0:
		return nil
	case slices.Contains(again, ""):
		return slugs(left)
	}
	slices.Sort(again)
	return slices.Compact(again)
}

func slugs(list []*candidate) []string {
	out := []string{""}
	for _, c := range list {
		out = append(out, c.slug)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// culprit is the patch that a fault points at; where it points at none, the
// last one of the agent type, so that what is left is accepted in any case.
func culprit(list []*candidate, slug string, f faults.Fault) *candidate {
	for _, c := range list {
		if strconv.Itoa(c.index) == f.File {
			return c
		}
	}
	own := concerning(list, slug)
	return own[len(own)-1]
}
