package agreement

import (
	"slices"
	"strings"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// Check compares the root of a person's values with the environment, and gives a
// fault for every fact that the two tell differently, at its place in the values
// and with its place in the environment; for one that the values alone tell and
// others than kora have to know; for what has not the shape to be compared; and for
// what Helmfile reads otherwise than Helm (R38, R39, R44). What agrees, and what only kora reads, is no fault.
func Check(own *source.Node, env environment.Placed) faults.List {
	c := &checker{own: own, env: env, said: env.Map(), wrong: map[string]bool{}}
	for _, f := range append(facts(), reference()) {
		c.fact(f)
	}
	c.misspelt()
	return append(c.found, environment.Otherwise(own)...)
}

type checker struct {
	own   *source.Node
	env   environment.Placed
	said  map[string]any
	wrong map[string]bool // the paths of blocks that are none
	found faults.List
}

func (c *checker) fact(f fact) {
	n := c.value(f.value)
	if n.Null() {
		return
	}
	if f.value == "global.imagePullSecrets" {
		n = named(n)
	}
	if wrong := fields.Check(n, f.sort.shape(), fields.Path(f.value)); wrong != nil {
		c.found = append(c.found, wrong...)
		return
	}
	said := c.fromEnvironment(f)
	switch {
	case empty(n.Any()) || empty(said):
	case f.sort == labels:
		c.labels(f, n, said)
	case !f.sort.equal(n.Any(), said):
		c.found = append(c.found, c.fault(f, f.value, n, said))
	}
}

// labels compares them key by key: of one that only the values have Helm keeps it.
func (c *checker) labels(f fact, n *source.Node, said any) {
	all, _ := said.(map[string]any)
	for _, own := range n.Fields {
		if v, there := all[own.Key.Value]; there && v != own.Value.Any() {
			c.found = append(c.found, c.fault(f, string(fields.Path(f.value).Child(own.Key.Value)), own.Value, v))
		}
	}
}

// value is what the values say at a path. A block on the way that is none is told
// once.
func (c *checker) value(path string) *source.Node {
	n, at := c.own, ""
	for _, key := range strings.Split(path, ".") {
		if n.Null() {
			return nil
		}
		if n.Kind != source.Mapping {
			if !c.wrong[at] {
				c.found = append(c.found, fields.Check(n, fields.Of(map[string]any{}), fields.Path(at))...)
			}
			c.wrong[at] = true
			return nil
		}
		n, at = n.Get(key), strings.TrimPrefix(at+"."+key, ".")
	}
	return n
}

// fromEnvironment is what the environment says of a fact, or what others than
// kora take when it says nothing.
func (c *checker) fromEnvironment(f fact) any {
	if f.env == "" {
		return f.alone
	}
	said := environment.At(c.said, f.env)
	if empty(said) && f.alone != "" {
		return f.alone
	}
	return said
}

// closed are the blocks of the values whose keys are all facts.
func closed() []string { return []string{"istio", "spire", "agents.workspace"} }

// misspelt tells a key of such a block that is none: it would say nothing to
// anybody, and what it was to say would not be compared.
func (c *checker) misspelt() {
	for _, block := range closed() {
		n := c.value(block)
		if n.Null() || n.Kind != source.Mapping {
			continue
		}
		names := namesBelow(block)
		for _, own := range n.Fields {
			if !slices.Contains(names, own.Key.Value) {
				c.found = append(c.found, unknown(own.Key, block, names))
			}
		}
	}
}

func unknown(key *source.Node, block string, names []string) faults.Fault {
	f := key.Pos.Fault(faults.UnknownField, "unknown field \""+key.Value+"\"")
	f.Field, f.Found, f.Expected = string(fields.Path(block).Child(key.Value)), key.Value, "one of "+strings.Join(names, ", ")
	if near := fields.Nearest(key.Value, names); near != "" {
		f.Fix = "did you mean \"" + near + "\"?"
	}
	return f
}

// namesBelow are the keys of a block that is closed.
func namesBelow(block string) []string {
	var out []string
	for _, f := range append(facts(), reference()) {
		if name, below := strings.CutPrefix(f.value, block+"."); below {
			out = append(out, name)
		}
	}
	return out
}
