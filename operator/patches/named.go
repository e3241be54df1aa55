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

// Named are the agent types that targets name, each once and sorted: by their labels, and
// by the name of an object, or the plain letters that it begins with. What is wrong in a
// patch that is for one agent type shows on that one alone (R15).
func (s *Set) Named() []Named {
	var out []Named
	for _, p := range s.patches {
		out = append(out, p.target.named()...)
	}
	out = slices.DeleteFunc(out, func(n Named) bool {
		return n.TypeID == "" && agents.ValidateName(n.Slug) != nil || n.Slug == "" && agents.ValidateTypeID(n.TypeID) != nil
	})
	slices.SortFunc(out, func(a, b Named) int { return cmp.Or(cmp.Compare(a.Slug, b.Slug), cmp.Compare(a.TypeID, b.TypeID)) })
	return slices.Compact(out)
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
