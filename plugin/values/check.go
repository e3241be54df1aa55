package values

import (
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// Check returns every fault of shape and of rules in the values that agent types
// read, each at the place of the offending key or value (R15, R20). It reports
// an unknown key at the top too; what the chart alone reads is not looked into.
// What configOverrides set in place of values is judged as these are (R23).
func (t *Tree) Check() faults.List {
	over := t.Overridden()
	found := over.named(over.check())
	return finished(t.Hushed(append(found, t.overriding(found)...)))
}

func (t *Tree) check() faults.List {
	c := &checker{tree: t}
	c.shapes()
	for _, block := range []string{"common", "sessionManager", "sandbox"} {
		c.workload(t.value("agents", "workloads", block), block)
	}
	c.nowhere()
	c.serviceAccount(t.value("agents", "workloads", "sessionManager", "serviceAccount", "annotations"))
	c.workspace(t.value("agents", "workspace"))
	c.environments()
	c.warming()
	c.images()
	c.global(t.value("global"))
	c.port(t.value("sandboxMount", "port"))
	for _, item := range c.whole(t.value("sandboxMount", "tolerations").items()) {
		c.toleration(item)
	}
	return c.found
}

type checker struct {
	tree   *Tree
	found  faults.List
	broken map[fields.Path]bool // items of lists with a fault of shape inside
}

func (c *checker) refuse(f ...faults.Fault) { c.found = append(c.found, f...) }

// shapes compares the tree with the types.
func (c *checker) shapes() {
	c.typed(c.tree.value(), Values{})
	sidecars := c.tree.value("operator", "injection", "sandboxSidecars")
	c.typed(sidecars, Sidecars{})
	c.nearly(c.tree.value("operator"), "injection")
	c.nearly(c.tree.value("operator", "injection"), "sandboxSidecars")
	c.shaken()
}

// shaken notes the items of lists that have a fault of shape inside.
func (c *checker) shaken() {
	c.broken = map[fields.Path]bool{}
	for _, f := range c.found {
		for i, r := range f.Field {
			if r == ']' {
				c.broken[fields.Path(f.Field[:i+1])] = true
			}
		}
	}
}

// whole are the items that have the shape of their type all through: what else
// there is to say of the others may come of that fault.
func (c *checker) whole(items []value) []value {
	return slices.DeleteFunc(items, func(v value) bool { return c.broken[v.path] })
}

func (c *checker) typed(v value, as any) {
	if v.node == nil {
		return
	}
	found := fields.Check(v.node, fields.Of(as), v.path)
	for i := range found {
		found[i].Fix = fixOfFlag(found[i])
	}
	c.refuse(found...)
}

// fixOfFlag: quotes make a text in YAML, and are part of the text in a --set.
func fixOfFlag(f faults.Fault) string {
	switch {
	case f.Code != faults.WrongType || !strings.HasPrefix(f.File, Set.String()+" "):
	case f.Expected == "a text":
		return "use " + SetString.String()
	case strings.HasPrefix(f.Expected, "a list of"):
		return "put the items in braces, with commas between them: key={a,b}"
	}
	return f.Fix
}

// nearly refuses the misspelling of a key in a block whose other keys are not
// known here: it would silently do nothing.
func (c *checker) nearly(block value, name string) {
	for _, f := range block.entries() {
		if f.Key.Value == name || fields.Nearest(f.Key.Value, []string{name}) == "" {
			continue
		}
		out := f.Key.Pos.Fault(faults.UnknownField, fmt.Sprintf("unknown field %q", f.Key.Value))
		out.Field, out.Found = string(block.path.Child(f.Key.Value)), f.Key.Value
		out.Fix = fmt.Sprintf("did you mean %q?", name)
		c.refuse(out)
	}
}

// port is one that a node can listen on.
func (c *checker) port(v value) {
	if !v.given() {
		return
	}
	if port, ok := v.node.Any().(int64); ok && (port < 1 || port > 65535) {
		f := v.fault(faults.WrongType, "not a TCP port")
		f.Expected = "a number from 1 to 65535"
		c.refuse(f)
	}
}
