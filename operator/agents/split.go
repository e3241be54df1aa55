package agents

import corev1 "k8s.io/api/core/v1"

// Split is a placement that would leave a sandbox waiting for ever on a workspace
// that is not shared (R9).
type Split struct {
	// Node is a sample node's labels that the session-manager admits and the
	// sandbox does not; empty when a node without labels is one. Where a
	// matchFields term decides, the node's name is there too, under metadata.name.
	Node map[string]string
	// Undecided is set, and Node nil, when the terms are too many and too tangled
	// to search within bounds. Callers refuse that as they refuse a split.
	Undecided bool
}

// SplitPlacement reports whether some node is admitted by the session-manager's
// node selector and required node affinity, but not by the sandbox's (R9); nil
// means that none is.
//
// Both are read as the scheduler reads them: terms are alternatives, a term's
// expressions must all hold, NotIn holds where the key is absent, Gt and Lt hold
// for integers only, a term that is empty or does not parse matches nothing, and
// no affinity matches everything. Preferred terms, pod affinity, taints and
// nodeName are not inspected. It takes pod specs, so that it judges what patches
// made of the settings too. A nil spec places nothing.
//
// Deciding this is as hard as satisfiability, so the search is bounded: see
// [Split].Undecided.
func SplitPlacement(sessionManager, sandbox *corev1.PodSpec) *Split {
	admit, refuse := placementOf(orEmpty(sessionManager)), placementOf(orEmpty(sandbox))
	s := &search{u: newUniverse(admit, refuse), budget: searchBudget}
	clauses, ok := s.conjunctions(refuse)
	if !ok {
		return &Split{Undecided: true}
	}
	for _, t := range admit {
		if node := s.outside(t, clauses); node != nil {
			return &Split{Node: node}
		}
	}
	if s.budget <= 0 {
		return &Split{Undecided: true}
	}
	return nil
}

// outside is a node that meets the term and breaks all clauses; nil when there is
// none, or the budget ran out.
func (s *search) outside(t term, clauses []clause) map[string]string {
	c, ok := s.conjunction(t)
	if !ok {
		return nil
	}
	start := s.start(c)
	if start == nil {
		return nil
	}
	return s.u.node(s.solve(start, clauses))
}

func orEmpty(spec *corev1.PodSpec) *corev1.PodSpec {
	if spec == nil {
		return &corev1.PodSpec{}
	}
	return spec
}
