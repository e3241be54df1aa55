package agents

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation"
)

// universe holds, for every key that some requirement is about, finitely many
// values that stand for all: two values that no requirement tells apart need
// only one of them. So what holds for no node made of these holds for no node (R9).
type universe struct {
	order []nodeKey
	keys  map[nodeKey]*candidates
}

// absent is the index of "no such label" among a key's values. A node always has
// a name; there it stands for any other name, since In and NotIn, all that names
// are matched by, do not tell the two apart.
const absent = 0

// candidates are one key's values, and the indexes by which bitsets hold them.
type candidates struct {
	index     int // in universe.order
	values    []string
	position  map[string]int
	constants []string
	near      []int64
}

func newUniverse(placements ...placement) *universe {
	u := &universe{keys: map[nodeKey]*candidates{}}
	for _, p := range placements {
		for _, t := range p {
			for _, r := range t {
				u.collect(r)
			}
		}
	}
	for _, key := range u.order {
		u.keys[key].complete(key)
	}
	return u
}

// collect notes what a requirement compares its key with.
func (u *universe) collect(r requirement) {
	c := u.keys[r.key]
	if c == nil {
		c = &candidates{index: len(u.order)}
		u.keys[r.key] = c
		u.order = append(u.order, r.key)
	}
	c.constants = append(c.constants, r.values...)
	if r.bounded() {
		c.near = append(c.near, r.near()...)
	}
}

// complete fixes the values, simplest first, since samples take the first that
// fits: absent, the constants, an integer for each region between bounds, and
// one value that is none of these.
func (c *candidates) complete(key nodeKey) {
	c.position = map[string]int{}
	c.values = append(c.values, "") // absent
	slices.Sort(c.constants)
	for _, constant := range slices.Compact(c.constants) {
		if !key.field || len(validation.IsDNS1123Subdomain(constant)) == 0 {
			c.add(constant)
		}
	}
	slices.Sort(c.near)
	for _, n := range slices.Compact(c.near) {
		c.addInteger(n)
	}
	c.addOther()
}

func (c *candidates) add(value string) {
	c.position[value] = len(c.values)
	c.values = append(c.values, value)
}

// addInteger adds a spelling of n that is no constant: 5 may be one and 05 not,
// and both are five to Gt and Lt. Past 63 characters there is none left.
func (c *candidates) addInteger(n int64) {
	spelling := strconv.FormatInt(n, 10)
	for len(spelling) <= validation.LabelValueMaxLength {
		if _, taken := c.position[spelling]; !taken {
			c.add(spelling)
			return
		}
		spelling = "0" + spelling
	}
}

// addOther adds a value that no requirement names and that is no integer.
func (c *candidates) addOther() {
	other := "other"
	for n := 2; ; n++ {
		if _, taken := c.position[other]; !taken {
			c.add(other)
			return
		}
		other = "other-" + strconv.Itoa(n)
	}
}

// node is a sample node of the domains, with as few labels as they allow.
func (u *universe) node(d domains) map[string]string {
	if d == nil {
		return nil
	}
	node := map[string]string{}
	for i, key := range u.order {
		c, first := u.keys[key], d[i].first()
		if first != absent {
			node[key.name] = c.values[first]
		}
	}
	return node
}
