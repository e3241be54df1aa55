package agents

import (
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/util/validation"
)

// nodeKey is a key that requirements are about: a label's, or, as a field, a
// node's name. A label may be called metadata.name too.
type nodeKey struct {
	name  string
	field bool
}

// nodeName is the one field that node affinity can match.
var nodeName = nodeKey{name: "metadata.name", field: true}

// requirement is one condition on one key.
type requirement struct {
	key      nodeKey
	operator corev1.NodeSelectorOperator
	values   []string
	bound    int64 // of Gt and Lt
}

// term is a conjunction. One that Kubernetes cannot parse, or that is empty,
// matches no node, as in the scheduler.
type term []requirement

// placement is what a pod says about nodes, in disjunctive form: some term holds.
// The node selector is in every term. No terms: no node is admitted.
type placement []term

// placementOf reads a pod's node selector and required node affinity (R9).
func placementOf(spec *corev1.PodSpec) placement {
	selected, possible := selectorTerm(spec.NodeSelector)
	if !possible {
		return nil
	}
	required := requiredAffinity(spec)
	if required == nil {
		return placement{selected}
	}
	var terms placement
	for i := range required.NodeSelectorTerms {
		if t, ok := parseTerm(&required.NodeSelectorTerms[i]); ok {
			terms = append(terms, slices.Concat(selected, t))
		}
	}
	return terms
}

func requiredAffinity(spec *corev1.PodSpec) *corev1.NodeSelector {
	if spec.Affinity == nil || spec.Affinity.NodeAffinity == nil {
		return nil
	}
	return spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution
}

// selectorTerm is false when no node can carry such a label.
func selectorTerm(selector map[string]string) (t term, possible bool) {
	for _, key := range sortedKeys(selector) {
		value := selector[key]
		if len(validation.IsQualifiedName(key)) > 0 || len(validation.IsValidLabelValue(value)) > 0 {
			return nil, false
		}
		t = append(t, requirement{key: nodeKey{name: key}, operator: corev1.NodeSelectorOpIn, values: []string{value}})
	}
	return t, true
}

func parseTerm(from *corev1.NodeSelectorTerm) (t term, ok bool) {
	for i := range from.MatchExpressions {
		r, ok := parseExpression(&from.MatchExpressions[i])
		if !ok {
			return nil, false
		}
		t = append(t, r)
	}
	for i := range from.MatchFields {
		r, ok := parseField(&from.MatchFields[i])
		if !ok {
			return nil, false
		}
		t = append(t, r)
	}
	return t, len(t) > 0
}

// parsed names each operator as the label parser knows it; any other is "".
func parsed(o corev1.NodeSelectorOperator) selection.Operator {
	switch o {
	case corev1.NodeSelectorOpIn:
		return selection.In
	case corev1.NodeSelectorOpNotIn:
		return selection.NotIn
	case corev1.NodeSelectorOpExists:
		return selection.Exists
	case corev1.NodeSelectorOpDoesNotExist:
		return selection.DoesNotExist
	case corev1.NodeSelectorOpGt:
		return selection.GreaterThan
	case corev1.NodeSelectorOpLt:
		return selection.LessThan
	}
	return ""
}

// parseExpression refuses what the scheduler's own parser refuses.
func parseExpression(from *corev1.NodeSelectorRequirement) (requirement, bool) {
	if _, err := labels.NewRequirement(from.Key, parsed(from.Operator), from.Values); err != nil {
		return requirement{}, false
	}
	r := requirement{key: nodeKey{name: from.Key}, operator: from.Operator, values: from.Values}
	if r.bounded() {
		r.bound, _ = strconv.ParseInt(from.Values[0], 10, 64) // parsed above
		r.values = nil
	}
	return r, true
}

// parseField takes In and NotIn with one name, as the scheduler does.
func parseField(from *corev1.NodeSelectorRequirement) (requirement, bool) {
	known := from.Operator == corev1.NodeSelectorOpIn || from.Operator == corev1.NodeSelectorOpNotIn
	if !known || from.Key != nodeName.name || len(from.Values) != 1 {
		return requirement{}, false
	}
	return requirement{key: nodeName, operator: from.Operator, values: from.Values}, true
}

func (r requirement) bounded() bool {
	return r.operator == corev1.NodeSelectorOpGt || r.operator == corev1.NodeSelectorOpLt
}

// within reports whether an integer is on the right side of the bound.
func (r requirement) within(n int64) bool {
	if r.operator == corev1.NodeSelectorOpGt {
		return n > r.bound
	}
	return n < r.bound
}

// near lists the integers that stand for every region beside the bound. Label
// values have no sign, so none is below zero; that also drops an overflow.
func (r requirement) near() []int64 {
	return slices.DeleteFunc([]int64{r.bound - 1, r.bound, r.bound + 1}, func(n int64) bool { return n < 0 })
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
