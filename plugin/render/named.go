package render

import (
	"cmp"
	"slices"

	"github.com/runkora/kora/internal/faults"
)

// Named are the previews of the other agent types that patches name, in the same namespace:
// what is for one of them alone shows there. What each finds is its own, besides that a
// patch matches nothing of it.
func (p *Preview) Named() []*Preview {
	var out []*Preview
	for _, n := range p.set.Variants() {
		other := &Preview{request: p.request, tree: p.tree, set: n.Set, texts: p.texts}
		if other.request.Agent.TypeID = n.TypeID; n.Slug != "" {
			other.request.Agent.Slug = n.Slug
		}
		if other.request.Agent == p.request.Agent {
			continue
		}
		other.make()
		other.Found = slices.DeleteFunc(other.Found, func(f faults.Fault) bool { return f.Code == faults.MatchesNothing })
		out = append(out, other)
	}
	return out
}

// Nowhere reports whether the patch of a fault of this preview can match no agent type's
// objects, and not only none of this one's.
func (p *Preview) Nowhere(f faults.Fault) bool {
	_, certain := p.set.Nowhere(f, p.Objects)
	return certain
}

// Type is the agent type by what a patch names it by: its slug, or its ID.
func (p *Preview) Type() string { return cmp.Or(p.request.Agent.TypeID, p.request.Agent.Slug) }
