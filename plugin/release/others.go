package release

import (
	"context"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/plugin/values"
)

// others tells also what is wrong with the objects in which the wrong values have
// no part (R20): it renders again with each wrong value at its default. Where that
// cannot be, as when a value is missing that has none, or when the chart refuses
// what is left, the objects wait until the values are right.
func (p *pass) others(ctx context.Context, wrong faults.List, first rendered) {
	tree, ok := p.defaulted(wrong)
	if !ok || slices.ContainsFunc(first.found, func(f faults.Fault) bool { return f.Code == faults.RenderLimit }) {
		return
	}
	again := &pass{request: p.request, out: &Result{}, tree: tree, chart: p.chart, folder: p.folder}
	got := again.render(ctx)
	if got.found.Refused() {
		return
	}
	again.notes(got.texts)
	again.objects(got.texts)
	p.add(again.out.Found...)
}

// defaulted are the values without those that are wrong, false where one of the
// faults is not of a value that was given.
func (p *pass) defaulted(wrong faults.List) (*values.Tree, bool) {
	tree := p.tree
	for _, f := range wrong {
		if f.Severity == faults.Warning {
			continue
		}
		path := f.Field
		if f.Key != "" { // of a patch, whose field is an object's
			path = f.Key
		}
		steps := fields.Path(path).Steps()
		for i, s := range steps {
			if s.Name == "" { // of a list the whole: another length means another thing
				steps = steps[:i]
				break
			}
		}
		var at fields.Path
		for _, s := range steps {
			at = at.Child(s.Name)
		}
		if at == "" || !given(tree, steps) {
			return nil, false
		}
		tree = tree.Without(values.Leaf{Path: at})
	}
	return tree, true
}

// given is true of a path that stands in the values, or below one that was taken
// out already.
func given(tree *values.Tree, steps []fields.Step) bool {
	n := tree.Root()
	for i, s := range steps {
		f := n.Field(s.Name)
		if f == nil {
			return i > 0 && !strings.HasPrefix(steps[0].Name, "-")
		}
		n = f.Value
	}
	return true
}
