package guard

import (
	"strconv"

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
		for j, name := range e.Values {
			c.must(at.Child("matchFields").Index(i).Child("values").Index(j), name, validation.IsDNS1123Subdomain)
		}
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
	}
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
}
