package overrides

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/patches"
)

// settledTogether are the rules that only all patches together settle: a
// sandbox may go where its session-manager goes, and a container that several
// variables add is judged when it is whole.
var settledTogether = []faults.Code{
	faults.PodSecurity, faults.AddedContainer, faults.UnpinnedSandbox, faults.SplitByPatch, faults.SplitPlacement,
	faults.Unsound, // a request goes with its limit, a container with its image
}

// prove compiles each patch and renders an agent type with it, first alone and
// then with all the others, and takes out what kora refuses (R13, R14, R18). It
// reports whether that could be done within bounds.
func prove(list []*candidate, version string) bool {
	var doubtful []*candidate
	for _, c := range list {
		if c.why == nil {
			c.parse()
		}
		if c.why == nil {
			c.alone(version)
		}
		if c.doubt != nil {
			doubtful = append(doubtful, c)
		}
	}
	if len(doubtful) > maxDoubtful {
		for _, c := range doubtful {
			c.why = cmp.Or(c.why, c.doubt)
		}
	}
	return settle(accepted(list), version)
}

// maxDoubtful bounds how many patches may lean on others: to find out which
// of many is to blame for what they do together takes long.
const maxDoubtful = 40

func accepted(list []*candidate) []*candidate {
	return slices.DeleteFunc(slices.Clone(list), func(c *candidate) bool { return c.why != nil })
}

// parse reads the patch as kora will read its file; the file's name is the
// variable's number, by which a fault finds back to it.
func (c *candidate) parse() {
	docs, found := source.Parse(source.NewFile(strconv.Itoa(c.index), c.Text), source.DefaultLimits)
	switch {
	case found.Refused():
		c.why = because(found[0])
	case len(docs) != 1:
		c.why = refuse("kora does not take the patch")
	default:
		c.entry = patches.Entry{Key: c.Key, Node: docs[0]}
	}
}

// alone leaves a doubt where only the other patches can settle it.
func (c *candidate) alone(version string) {
	for _, f := range tried([]*candidate{c}, c.slug, version) {
		switch {
		case f.Code == faults.MatchesNothing:
			c.why = refuse("it matches no object of kora")
			return
		case f.Severity == faults.Warning:
		case slices.Contains(settledTogether, f.Code):
			c.doubt = because(f)
		default:
			c.why = because(f)
			return
		}
	}
}

// tried renders the agent type of a slug with the patches that are for it.
func tried(list []*candidate, slug, version string) faults.List {
	var entries []patches.Entry
	for _, c := range concerning(list, slug) {
		entries = append(entries, c.entry)
	}
	set, found := patches.Compile(entries)
	if found.Refused() {
		return found
	}
	if slug == "" {
		slug = sampleSlug
	}
	_, more := set.Render(settings(version, slug))
	return append(found, more...)
}

// concerning are the patches for one agent type, those for all among them.
func concerning(list []*candidate, slug string) []*candidate {
	var out []*candidate
	for _, c := range list {
		if c.slug == "" || c.slug == slug {
			out = append(out, c)
		}
	}
	return out
}
