package values

import (
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/internal/spelling"
)

const (
	required  = "requiredDuringSchedulingIgnoredDuringExecution"
	preferred = "preferredDuringSchedulingIgnoredDuringExecution"
)

func (c *checker) nodeAffinity(v value) {
	if must := v.child(required); must.given() && must.node.Kind == source.Mapping {
		terms := must.child("nodeSelectorTerms")
		if len(terms.items()) == 0 && (!terms.given() || terms.node.Kind == source.Sequence) {
			c.wrong(must, "a required node affinity without terms admits no node", "nodeSelectorTerms with one term or more")
		}
		for _, term := range c.whole(terms.items()) {
			c.nodeTerm(term)
			c.labelValues(term)
		}
	}
	for _, item := range c.whole(v.child(preferred).items()) {
		c.weight(item)
		c.nodeTerm(item.child("preference"))
	}
}

func (c *checker) nodeTerm(v value) {
	for _, e := range c.whole(v.child("matchExpressions").items()) {
		c.qualified(e.child("key"), "the key of a node's label")
		c.expression(e)
	}
	for _, e := range c.whole(v.child("matchFields").items()) {
		c.expression(e)
		if o := e.child("operator"); o.text() == "Exists" || o.text() == "DoesNotExist" || o.text() == "Gt" || o.text() == "Lt" {
			c.wrong(o, "a node's name is in a list or not", "In or NotIn")
		}
		if key := e.child("key"); key.isText() && key.text() != "metadata.name" {
			c.wrong(key, "a node is matched by no such field", "metadata.name")
		}
		if values := e.child("values"); len(values.items()) > 1 {
			c.wrong(values, "a field has one value", "one name")
		}
		for _, name := range e.child("values").items() {
			c.each(name, "a node has no such name", validation.IsDNS1123Subdomain)
		}
	}
}

// labelValues: what a node must have, a node can have. Of what it had better have
// the API server takes any text.
func (c *checker) labelValues(term value) {
	for _, e := range c.whole(term.child("matchExpressions").items()) {
		for _, v := range e.child("values").items() {
			c.each(v, "no label has such a value", validation.IsValidLabelValue)
		}
	}
}

// each holds a text of a list to a rule of Kubernetes.
func (c *checker) each(v value, message string, rule func(string) []string) {
	if !v.isText() {
		return // the type is judged elsewhere
	}
	if said := rule(v.text()); len(said) > 0 {
		c.wrong(v, message, spelling.Wanted(said))
	}
}

// expression checks how many values the operator wants, for node and label
// selectors alike. The operator itself is a word of the API's, checked with its
// type.
func (c *checker) expression(v value) {
	c.demand(v, "key", "the key of a label")
	c.demand(v, "operator", "In")
	values := v.child("values")
	at, count := values, len(values.items())
	if !values.given() {
		at = v
	}
	switch v.child("operator").text() {
	case "In", "NotIn":
		if count == 0 {
			c.wrong(at, "the operator compares with values, and there are none", "values with one value or more")
		}
	case "Exists", "DoesNotExist":
		if count > 0 {
			c.wrong(at, "the operator asks for the key alone", "no values, or the operator In")
		}
	case "Gt", "Lt":
		if count != 1 || !isWhole(values.items()[0].text()) {
			c.wrong(at, "the operator compares with one number", `one whole number in quotes, such as ["4"]`)
		}
	}
}

func isWhole(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

func (c *checker) weight(v value) {
	c.demand(v, "weight", "1")
	c.between(v.child("weight"), 1, 100, "a whole number from 1 to 100")
}

func (c *checker) podAffinity(v value) {
	for _, term := range c.whole(v.child(required).items()) {
		c.podTerm(term)
	}
	for _, item := range c.whole(v.child(preferred).items()) {
		c.weight(item)
		c.demand(item, "podAffinityTerm", "{topologyKey: kubernetes.io/hostname}")
		if term := item.child("podAffinityTerm"); term.given() {
			c.podTerm(term)
		}
	}
}

func (c *checker) podTerm(v value) {
	c.demand(v, "topologyKey", "kubernetes.io/hostname")
	c.qualified(v.child("topologyKey"), "the key of a node's label")
	c.selector(v.child("labelSelector"))
	c.selector(v.child("namespaceSelector"))
	c.labelKeys(v)
	for _, item := range c.whole(v.child("namespaces").items()) {
		c.each(item, "no namespace has such a name", validation.IsDNS1123Label)
	}
}

// selector checks a label selector.
func (c *checker) selector(v value) {
	c.keys(v.child("matchLabels"), label)
	for _, e := range c.whole(v.child("matchExpressions").items()) {
		c.qualified(e.child("key"), "the key of a label")
		c.expression(e)
		for _, item := range c.whole(e.child("values").items()) {
			c.labelValue(item)
		}
	}
}
