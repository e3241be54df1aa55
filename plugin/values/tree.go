package values

import (
	"slices"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// Tree is all values merged. It is never changed once loaded.
type Tree struct {
	root    *source.Node
	removed []Leaf // see nulls.go
	partial bool
	names   map[fields.Path]fields.Path // see Overridden
}

// Root returns the mapping of all values, an empty one when nothing is set.
func (t *Tree) Root() *source.Node { return t.root }

// Partial reports whether something that was to be read could not be: what is
// missing then may be there.
func (t *Tree) Partial() bool { return t.partial }

// Get returns the value at a path of keys, nil when there is none.
func (t *Tree) Get(path ...string) *source.Node { return t.value(path...).node }

// Patches returns the mapping agents.manifestPatches, nil when absent (R12).
func (t *Tree) Patches() *source.Node { return t.Get("agents", "manifestPatches") }

// Leaf is one setting that was given: a scalar or a list. Its node's place says
// who gave it.
type Leaf struct {
	Path fields.Path
	Node *source.Node
}

// Leaves returns the settings given that the objects of agent types depend on, in
// the order of the values below each block; manifest patches are none (R16).
func (t *Tree) Leaves() []Leaf {
	var out []Leaf
	for _, path := range [][]string{
		{"agents", "workloads"}, {"agents", "workspace"}, {"agents", "environments", "defaultSize"}, {"agents", "config"},
		{"global", "imageRegistry"}, {"global", "imageTag"}, {"global", "imagePullSecrets"},
		{"global", "observability", "otlpEndpoint"}, {"global", "observability", "samplingRate"},
		{"sandboxMount", "enabled"},
	} {
		out = t.value(path...).leaves(out)
	}
	return out
}

func (v value) leaves(out []Leaf) []Leaf {
	switch {
	case v.node == nil:
	case v.node.Kind != source.Mapping:
		out = append(out, Leaf{v.path, v.node})
	default:
		for _, f := range v.node.Fields {
			out = value{f.Value, v.path.Child(f.Key.Value)}.leaves(out)
		}
	}
	return out
}

// Without returns the same tree less one setting, for what the objects would be
// without it (R16). The maps around it stay, if empty, and an empty map sets
// nothing.
func (t *Tree) Without(l Leaf) *Tree {
	return &Tree{root: without(t.root, l.Path.Steps()), removed: t.removed, names: t.names}
}

func without(n *source.Node, steps []fields.Step) *source.Node {
	if n == nil || n.Kind != source.Mapping || len(steps) == 0 {
		return n
	}
	i := slices.IndexFunc(n.Fields, func(f source.Field) bool { return f.Key.Value == steps[0].Name })
	if i < 0 {
		return n
	}
	out := *n
	if len(steps) == 1 {
		out.Fields = slices.Delete(slices.Clone(n.Fields), i, i+1)
		return &out
	}
	out.Fields = slices.Clone(n.Fields)
	out.Fields[i].Value = without(n.Fields[i].Value, steps[1:])
	return &out
}
