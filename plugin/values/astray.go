package values

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// mostTerms bound what is compared: more alternatives are nobody's.
const mostTerms = 400

// astray warns of settings by which the operator takes a workload to be on nodes that
// the agents' own placement never admits: it would keep images, and preflight would
// look, where none of its pods runs (R9, R23).
func (t *Tree) astray(over *Tree, found faults.List) faults.List {
	var out faults.List
	for i, name := range []string{"sandbox", "sessionManager"} {
		v := t.placements()[i]
		if len(v.child("nodeSelector").entries())+len(v.child("affinity").entries()) == 0 || t.unsound(found) {
			continue
		}
		own, told := t.Overridden().placed(name), over.placed(name)
		if admitsNone(own) || admitsNone(told) || !apart(own, told) {
			continue
		}
		f := v.node.Pos.Fault(faults.Contradiction, "no node is admitted both by it and by the agents' own placement of the "+[]string{"sandbox", "session-manager"}[i])
		f.Severity, f.Field = faults.Warning, string(v.path)
		f.Expected, f.Fix = "a node where the agents are as well", "place both alike, or remove it"
		out = append(out, f)
	}
	return out
}

func (t *Tree) placed(name string) agents.Workload {
	block := t.value("agents", "workloads")
	return agents.MergeWorkload(block.child("common").workload(), block.child(name).workload())
}

// apart reports whether no node meets two placements.
func apart(a, b agents.Workload) bool {
	x, y := alternatives(a), alternatives(b)
	if len(x)*len(y) > mostTerms {
		return false
	}
	var both []corev1.NodeSelectorTerm
	for _, one := range x {
		for _, other := range y {
			both = append(both, corev1.NodeSelectorTerm{
				MatchExpressions: slices.Concat(one.MatchExpressions, other.MatchExpressions),
				MatchFields:      slices.Concat(one.MatchFields, other.MatchFields),
			})
		}
	}
	if slices.ContainsFunc(both, func(t corev1.NodeSelectorTerm) bool { return len(t.MatchExpressions)+len(t.MatchFields) == 0 }) {
		return false // neither asks for anything
	}
	return admitsNone(agents.Workload{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: both}}}})
}

// alternatives are what a placement asks of nodes, its node selector in each.
func alternatives(w agents.Workload) []corev1.NodeSelectorTerm {
	var selector []corev1.NodeSelectorRequirement
	for key, value := range w.NodeSelector {
		selector = append(selector, corev1.NodeSelectorRequirement{Key: key, Operator: corev1.NodeSelectorOpIn, Values: []string{value}})
	}
	if w.Affinity == nil || w.Affinity.NodeAffinity == nil || w.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return []corev1.NodeSelectorTerm{{MatchExpressions: selector}}
	}
	var out []corev1.NodeSelectorTerm
	for _, term := range w.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		if len(term.MatchExpressions)+len(term.MatchFields) > 0 { // an empty one admits no node
			out = append(out, corev1.NodeSelectorTerm{MatchExpressions: slices.Concat(selector, term.MatchExpressions), MatchFields: term.MatchFields})
		}
	}
	return out
}
