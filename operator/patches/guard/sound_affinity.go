package guard

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

const (
	required  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferred = "preferredDuringSchedulingIgnoredDuringExecution"
)

func (c *checker) affinity(at fields.Path, a *corev1.Affinity) {
	if a == nil {
		return
	}
	c.nodeAffinity(at.Child("nodeAffinity"), a.NodeAffinity)
	if p := a.PodAffinity; p != nil {
		c.podTerms(at.Child("podAffinity"), p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if p := a.PodAntiAffinity; p != nil {
		c.podTerms(at.Child("podAntiAffinity"), p.RequiredDuringSchedulingIgnoredDuringExecution, p.PreferredDuringSchedulingIgnoredDuringExecution)
	}
}

func (c *checker) nodeAffinity(at fields.Path, a *corev1.NodeAffinity) {
	if a == nil {
		return
	}
	if r := a.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
		terms := at.Child(required).Child("nodeSelectorTerms")
		if len(r.NodeSelectorTerms) == 0 {
			c.unsound(terms, "a required node affinity needs a term", "(none)", "a term", "add one, or take the affinity out")
		}
		for i, t := range r.NodeSelectorTerms {
			c.nodeTerm(terms.Index(i), t)
			c.labelValues(terms.Index(i), t)
		}
	}
	for i, p := range a.PreferredDuringSchedulingIgnoredDuringExecution {
		at := at.Child(preferred).Index(i)
		between(c, at.Child("weight"), &p.Weight, 1, 100)
		c.nodeTerm(at.Child("preference"), p.Preference)
	}
}

func (c *checker) nodeTerm(at fields.Path, t corev1.NodeSelectorTerm) {
	for i, e := range t.MatchExpressions {
		at := at.Child("matchExpressions").Index(i)
		c.must(at.Child("key"), e.Key, validation.IsQualifiedName)
		switch n := len(e.Values); e.Operator {
		case corev1.NodeSelectorOpGt, corev1.NodeSelectorOpLt:
			if n != 1 {
				c.values(at, string(e.Operator), n, "one whole number")
			}
		default:
			c.operator(at, string(e.Operator), n)
		}
	}
	for i, e := range t.MatchFields {
		c.nodeName(at.Child("matchFields").Index(i), e)
	}
}

// nodeName: of a node's fields its name alone is looked at, and there is one.
func (c *checker) nodeName(at fields.Path, e corev1.NodeSelectorRequirement) {
	if e.Key != metav1.ObjectNameField {
		c.unsound(at.Child("key"), "no field of a node that is looked at", e.Key, metav1.ObjectNameField, "use matchExpressions for labels")
	}
	if e.Operator != corev1.NodeSelectorOpIn && e.Operator != corev1.NodeSelectorOpNotIn {
		c.unsound(at.Child("operator"), "a node's name is in a list or not", string(e.Operator), "In or NotIn", "")
	}
	if len(e.Values) != 1 {
		c.values(at, string(e.Operator), len(e.Values), "one name")
	}
	for i, name := range e.Values {
		c.must(at.Child("values").Index(i), name, validation.IsDNS1123Subdomain)
	}
}

// labelValues: what a node must have, a node can have. Of what it had better have
// the API server takes any text.
func (c *checker) labelValues(at fields.Path, t corev1.NodeSelectorTerm) {
	for i, e := range t.MatchExpressions {
		for j, v := range e.Values {
			c.must(at.Child("matchExpressions").Index(i).Child("values").Index(j), v, validation.IsValidLabelValue)
		}
	}
}

// operator: In and NotIn choose from values, Exists and DoesNotExist have none.
func (c *checker) operator(at fields.Path, operator string, values int) {
	switch operator {
	case "In", "NotIn":
		if values == 0 {
			c.values(at, operator, values, "at least one")
		}
	case "Exists", "DoesNotExist":
		if values > 0 {
			c.values(at, operator, values, "none")
		}
	case "":
		c.unsound(at.Child("operator"), "the expression has no operator", "(none)", "such as In or Exists", "add it")
	}
}

func (c *checker) values(at fields.Path, operator string, n int, expected string) {
	c.unsound(at.Child("values"), "the operator "+operator+" does not go with these values", strconv.Itoa(n), expected, "")
}

func (c *checker) selector(at fields.Path, s *metav1.LabelSelector) {
	if s == nil {
		return
	}
	c.labelMap(at.Child("matchLabels"), s.MatchLabels)
	for i, e := range s.MatchExpressions {
		at := at.Child("matchExpressions").Index(i)
		c.must(at.Child("key"), e.Key, validation.IsQualifiedName)
		c.operator(at, string(e.Operator), len(e.Values))
		for i, v := range e.Values {
			c.must(at.Child("values").Index(i), v, validation.IsValidLabelValue)
		}
	}
}

// alike are keys of labels that pods have in common with this one, or have not.
// They go with a selector, which says nothing of the common ones itself.
func (c *checker) alike(at fields.Path, match, mismatch []string, s *metav1.LabelSelector) {
	for field, keys := range map[string][]string{"matchLabelKeys": match, "mismatchLabelKeys": mismatch} {
		if len(keys) > 0 && s == nil {
			c.unsound(at.Child(field), "keys of labels go with a labelSelector", strings.Join(keys, ", "), "labelSelector", "add labelSelector beside them")
			continue
		}
		for i, key := range keys {
			c.must(at.Child(field).Index(i), key, validation.IsQualifiedName)
		}
	}
	for i, key := range match {
		if slices.Contains(mismatch, key) || s != nil && selects(s, key) {
			c.unsound(at.Child("matchLabelKeys").Index(i), "the key is spoken of already, in mismatchLabelKeys or labelSelector", key, "each once", "take it out of one of the two")
		}
	}
}

func selects(s *metav1.LabelSelector, key string) bool {
	_, is := s.MatchLabels[key]
	return is || slices.ContainsFunc(s.MatchExpressions, func(e metav1.LabelSelectorRequirement) bool { return e.Key == key })
}

func (c *checker) podTerms(at fields.Path, must []corev1.PodAffinityTerm, may []corev1.WeightedPodAffinityTerm) {
	for i, t := range must {
		c.podTerm(at.Child(required).Index(i), t)
	}
	for i, w := range may {
		at := at.Child(preferred).Index(i)
		between(c, at.Child("weight"), &w.Weight, 1, 100)
		c.podTerm(at.Child("podAffinityTerm"), w.PodAffinityTerm)
	}
}

func (c *checker) podTerm(at fields.Path, t corev1.PodAffinityTerm) {
	if c.needs(at.Child("topologyKey"), t.TopologyKey, "the term has no topologyKey") {
		c.must(at.Child("topologyKey"), t.TopologyKey, validation.IsQualifiedName)
	}
	c.selector(at.Child("labelSelector"), t.LabelSelector)
	c.selector(at.Child("namespaceSelector"), t.NamespaceSelector)
	for i, name := range t.Namespaces {
		c.must(at.Child("namespaces").Index(i), name, validation.IsDNS1123Label)
	}
	c.alike(at, t.MatchLabelKeys, t.MismatchLabelKeys, t.LabelSelector)
}
