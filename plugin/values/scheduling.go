package values

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/spelling"
)

// This file and affinity.go hold what the API server demands of the settings
// for scheduling beyond their types (R2, R4): the manifests that kora prints
// are valid, and a wrong value is told where it stands and not by a cluster.

func (c *checker) scheduling(v value) {
	for _, item := range c.whole(v.child("tolerations").items()) {
		c.toleration(item)
	}
	c.spread(c.whole(v.child("topologySpreadConstraints").items()))
	c.nodeAffinity(v.child("affinity", "nodeAffinity"))
	c.podAffinity(v.child("affinity", "podAffinity"))
	c.podAffinity(v.child("affinity", "podAntiAffinity"))
}

// wrong refuses a value that has the right type and is still none that the API
// server takes.
func (c *checker) wrong(v value, message, expected string) {
	f := v.fault(faults.WrongType, message)
	f.Expected = expected
	c.refuse(f)
}

// demand refuses a map that lacks a key, where the map stands.
func (c *checker) demand(v value, key, expected string) {
	if !v.child(key).given() {
		f := v.fault(faults.WrongType, fmt.Sprintf("%s is missing", key))
		f.Field, f.Found, f.Expected = string(v.path.Child(key)), "", expected
		f.Fix = fmt.Sprintf("add %s: %s", key, expected)
		c.refuse(f)
	}
}

// qualified refuses a text that cannot be the key of a label, an empty one as well.
func (c *checker) qualified(v value, what string) {
	if !v.isText() {
		return // the type is judged elsewhere, and so is what is missing
	}
	if v.text() == "" {
		c.wrong(v, what+" is empty", "a key, such as kubernetes.io/hostname")
	} else if reasons := validation.IsQualifiedName(v.text()); len(reasons) > 0 {
		c.wrong(v, fmt.Sprintf("%q cannot be %s", short(v.text()), what), spelling.Wanted(reasons))
	}
}

func (c *checker) toleration(v value) {
	key, operator, worth := v.child("key"), v.child("operator"), v.child("value")
	if key.text() != "" { // an empty one is of every taint
		c.qualified(key, "the key of a taint")
	}
	switch {
	case operator.text() == "Exists" && worth.text() != "":
		c.wrong(worth, "a toleration with the operator Exists holds for every value", "no value, or the operator Equal")
	case operator.text() != "Exists" && key.text() == "":
		c.wrong(v, "a toleration without a key is for every taint", "a key, or the operator Exists")
	case operator.text() == "" || operator.text() == "Equal":
		c.labelValue(worth)
	}
	if seconds := v.child("tolerationSeconds"); seconds.given() && v.child("effect").text() != "NoExecute" {
		c.wrong(seconds, "only a taint that evicts is tolerated for a time", "no tolerationSeconds, or the effect NoExecute")
	}
}

func (c *checker) labelValue(v value) {
	if reasons := validation.IsValidLabelValue(v.text()); len(reasons) > 0 {
		c.wrong(v, "not the value of a label or taint", spelling.Wanted(reasons))
	}
}

func (c *checker) spread(list []value) {
	seen := map[[2]string]bool{}
	for _, v := range list {
		c.demand(v, "maxSkew", "1")
		c.demand(v, "topologyKey", "topology.kubernetes.io/zone")
		c.demand(v, "whenUnsatisfiable", "ScheduleAnyway")
		c.atLeastOne(v.child("maxSkew"))
		c.atLeastOne(v.child("minDomains"))
		c.qualified(v.child("topologyKey"), "the key of a node's label")
		c.selector(v.child("labelSelector"))
		c.labelKeys(v)
		for _, policy := range []string{"nodeAffinityPolicy", "nodeTaintsPolicy"} {
			if v := v.child(policy); v.given() && v.isText() && v.text() == "" {
				c.wrong(v, "an empty text is no policy", "Honor or Ignore")
			}
		}
		when := v.child("whenUnsatisfiable").text()
		if domains := v.child("minDomains"); domains.given() && when == "ScheduleAnyway" {
			c.wrong(domains, "minDomains counts only where pods have to wait", "no minDomains, or whenUnsatisfiable: DoNotSchedule")
		}
		pair := [2]string{v.child("topologyKey").text(), when}
		if seen[pair] && pair[0] != "" {
			c.wrong(v.child("topologyKey"), "two constraints have this topologyKey and the same whenUnsatisfiable", "one of each")
		}
		seen[pair] = true
	}
}

func (c *checker) atLeastOne(v value) { c.between(v, 1, 1<<31-1, "a whole number of 1 or more") }

func (c *checker) between(v value, least, most int64, expected string) {
	if !v.given() {
		return
	}
	if i, ok := v.node.Any().(int64); ok && (i < least || i > most) {
		c.wrong(v, "the number is out of range", expected)
	}
}
