package main

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"

	"github.com/runkora/kora"
	"github.com/runkora/kora/generator/agreement"
	"github.com/runkora/kora/generator/upgrade"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema/rules"
	"github.com/runkora/kora/plugin/values"
)

// target reads what shall run: the files of -f, and the facts of -e over them. What
// is wrong in the files is told as by every command that takes values. Standard
// input is kept, since request reads it too.
func (f *upgradeFlags) target(c *console) (*values.Tree, faults.List) {
	in := f.values
	if slices.Contains(in.Files, "-") {
		text, err := io.ReadAll(io.LimitReader(c.in, int64(source.DefaultLimits.Bytes)+1))
		if err != nil {
			return nil, faults.List{unreadableFile("-", err)}
		}
		in.Stdin, f.values.Stdin = bytes.NewReader(text), bytes.NewReader(text)
	}
	return values.Load(in)
}

// judges is true where the new values are those of this kora, whose rules it knows.
func (f *upgradeFlags) judges() bool {
	return f.to == kora.Version() && (f.values.Files != nil || f.facts.env.Environment != nil)
}

// sound judges the new values as kora validate and kora generate do (R20, R38, R56).
func (f *upgradeFlags) sound(tree *values.Tree) faults.List {
	env := f.facts.env
	switch {
	case !f.judges():
		return nil
	case f.values.Files == nil:
		return sound(nil, env)
	}
	chart, err := rules.Embedded()
	if err != nil {
		return faults.List{faults.New(faults.ReleaseGraph, err.Error())}
	}
	found := rules.Check(tree, chart)
	for i := range found {
		if env.Environment != nil && found[i].File == env.File {
			found[i].Field = agreement.Named(found[i].Field)
		}
	}
	return found
}

// environment is what -e says, nil without it.
func (f *upgradeFlags) environment() *upgrade.Facts {
	env := f.facts.env
	if env.Environment == nil || len(f.values.More) == 0 {
		return nil
	}
	out := &upgrade.Facts{File: env.File, Values: upgrade.LayerOf(f.values.More[0])}
	if env.Theme != "" {
		out.Theme = filepath.Join(filepath.Dir(f.values.Files[0]), env.Theme)
	}
	return out
}

// untold leaves out what is no value of its kind where the rules judged all of them.
// A fact has its own name in faults of the environment (R38).
func (f *upgradeFlags) untold(found, judged faults.List) faults.List {
	var out faults.List
	for _, each := range found {
		if f.facts.env.Environment != nil && each.File == f.facts.env.File {
			each.Field = agreement.Named(each.Field)
		}
		if each.Code != faults.WrongType || !judged.Refused() {
			out = append(out, each)
		}
	}
	return out
}
