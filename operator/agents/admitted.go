package agents

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// admitted is the set of values that meet the requirement.
func (c *candidates) admitted(r requirement) bitset {
	switch r.operator {
	case corev1.NodeSelectorOpIn:
		return c.among(r.values)
	case corev1.NodeSelectorOpNotIn:
		return allBits(len(c.values)).minus(c.among(r.values))
	case corev1.NodeSelectorOpDoesNotExist:
		return c.lacking()
	case corev1.NodeSelectorOpExists:
		return allBits(len(c.values)).minus(c.lacking())
	}
	return c.integers(r)
}

func (c *candidates) among(values []string) bitset {
	set := newBits(len(c.values))
	for _, value := range values {
		if i, known := c.position[value]; known {
			set.add(i)
		}
	}
	return set
}

func (c *candidates) lacking() bitset {
	set := newBits(len(c.values))
	set.add(absent)
	return set
}

// integers go by Gt and Lt, which what is absent or no integer never meets.
func (c *candidates) integers(r requirement) bitset {
	set := newBits(len(c.values))
	for i, value := range c.values {
		n, err := strconv.ParseInt(value, 10, 64)
		if err == nil && r.within(n) {
			set.add(i)
		}
	}
	return set
}

// cost is what judging every value by a requirement takes, in words.
func (c *candidates) cost(r requirement) int {
	if r.bounded() {
		return len(c.values)
	}
	return len(r.values) + len(c.values)/64 + 1
}
