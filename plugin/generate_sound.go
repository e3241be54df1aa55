package main

import (
	"github.com/runkora/kora/generator/agreement"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema/rules"
	"github.com/runkora/kora/plugin/values"
)

// sound judges the facts as the values that they become, laid over a person's own,
// so that nothing is generated that kora validate refuses (R20, R38). The faults
// are those of the environment, by its names; what is wrong in the values
// themselves is told by the commands that take them.
//
// Without values, and without access modes in the environment, it is not known
// whether a placement is split: that is then left to those commands.
func sound(own *values.Tree, env environment.Placed) faults.List {
	root, err := agreement.Values(env)
	if err != nil {
		return faults.List{faults.New(faults.ReleaseGraph, err.Error())}
	}
	chart, err := rules.Embedded()
	if err != nil {
		return faults.List{faults.New(faults.ReleaseGraph, err.Error())}
	}
	in := values.Input{More: []*source.Node{root}}
	if own != nil {
		in.More = []*source.Node{own.Root(), root}
	}
	tree, found := values.Load(in)
	open := own == nil && len(env.Workspace.AccessModes) == 0
	var out faults.List
	for _, f := range append(found, rules.Check(tree, chart)...) {
		if f.File != env.File || f.Line == 0 || open && f.Code == faults.SplitPlacement {
			continue
		}
		f.Field = agreement.Named(f.Field)
		out = append(out, f)
	}
	return out
}
