package release

import (
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/reference"
	"github.com/runkora/kora/verify/registry"
)

// Checked looks at references before anything is asked of a registry. One that
// says nothing definite stays in the list, with its fault: the others are
// verified all the same. What is printed of it has no password in it.
func Checked(c *registry.Client, items []Item) []Item {
	out := make([]Item, len(items))
	for n, i := range items {
		out[n] = i
		if i.What == File || i.What == Provenance || i.Missing != "" || i.Found.Refused() {
			continue
		}
		if _, err := c.Open(i.Ref); err != nil && registry.KindOf(err) == registry.Wrong {
			out[n].Ref = reference.Shown(i.Ref)
			f := faults.New(faults.BadRef, reason("", err).Message)
			f.File, f.Fix = out[n].Ref, registry.FixOf(err)
			out[n].Found = append(out[n].Found, f)
		}
	}
	return out
}

// Once leaves each artifact in once, and warns of those that were named again:
// they are verified, and counted, once.
func Once(items []Item) ([]Item, faults.List) {
	var out []Item
	var found faults.List
	seen := map[string]bool{}
	for _, i := range items {
		if !seen[i.key()] {
			seen[i.key()] = true
			out = append(out, i)
			continue
		}
		f := faults.New(faults.NamedTwice, "it is named more than once, and is verified once")
		f.File = reference.Shown(i.Ref)
		if i.Line > 0 {
			f.File, f.Line, f.Object = i.List, i.Line, i.Ref
		}
		found = append(found, f)
	}
	return out, found
}

// Stopped are the verdicts of a run that ended before anything was asked, for
// the reasons found: nothing is known of any artifact, but of those that were
// wrong themselves.
func Stopped(items []Item, found faults.List) []verify.Verdict {
	var out []verify.Verdict
	for _, i := range items {
		v := before(i)
		if !i.Found.Refused() {
			v = verify.Unreached(i.Ref, "", found)
			v.Resolved = asked(i)
		}
		out = append(out, v)
	}
	return out
}
