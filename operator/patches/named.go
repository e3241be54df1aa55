package patches

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/runkora/kora/operator/agents"
)

// Named is an agent type that a target names. One of the two is empty.
type Named struct{ Slug, TypeID string }

// Variant is an agent type, and the patches that may be for it: its own and those that name
// none.
type Variant struct {
	Named
	Set *Set
}

// trials is how many patches all variants hold at most: each is a render, and the product
// of many types and many patches for all would take minutes.
const trials = 10_000

// Variants are the agent types that targets name, each once and sorted: by their labels, and
// by the name of an object, or the plain letters that it begins with. What is wrong in a
// patch that is for one agent type shows on that one alone (R15). Of a thousand patches for
// as many types there are all; where most are for every type the last are left out.
func (s *Set) Variants() []Variant {
	own, all := make([][]Named, len(s.patches)), []Named(nil)
	for i, p := range s.patches {
		own[i] = slices.DeleteFunc(p.target.named(), func(n Named) bool {
			return n.TypeID == "" && agents.ValidateName(n.Slug) != nil || n.Slug == "" && agents.ValidateTypeID(n.TypeID) != nil
		})
		all = append(all, own[i]...)
	}
	slices.SortFunc(all, func(a, b Named) int { return cmp.Or(cmp.Compare(a.Slug, b.Slug), cmp.Compare(a.TypeID, b.TypeID)) })
	var out []Variant
	held := 0
	for _, n := range slices.Compact(all) {
		of := &Set{kinds: s.kinds}
		for i, p := range s.patches {
			if len(own[i]) == 0 || slices.Contains(own[i], n) {
				of.patches = append(of.patches, p)
			}
		}
		if held += len(of.patches); held > trials {
			break
		}
		out = append(out, Variant{n, of})
	}
	return out
}

func (t *target) named() []Named {
	if t == nil {
		return nil
	}
	out := labelled(t.labels)
	for kind, fits := range t.fits {
		before, after := shape(kind)
		text, whole := t.name.begins()
		text, is := strings.CutPrefix(text, before)
		switch {
		case !fits || !is:
			continue
		case whole && after != "":
			text = strings.TrimSuffix(text, after)
		case whole && kind == "Pod":
			text = text[:max(strings.LastIndex(text, "-"), 0)] // what follows is the run's
		}
		out = append(out, Named{Slug: strings.TrimRight(text, "-")})
	}
	return out
}

// labelled are the agent types that a selector wants.
func labelled(s labels.Selector) (out []Named) {
	all, _ := s.Requirements()
	for _, r := range all {
		if !slices.Contains([]selection.Operator{selection.In, selection.Equals, selection.DoubleEquals}, r.Operator()) {
			continue
		}
		for value := range r.Values() {
			switch r.Key() {
			case agents.LabelAgentSlug:
				out = append(out, Named{Slug: value})
			case agents.LabelAgentType:
				out = append(out, Named{TypeID: value})
			case labelInstance:
				out = append(out, Named{Slug: strings.TrimPrefix(value, agents.ObjectName(""))})
			}
		}
	}
	return out
}
