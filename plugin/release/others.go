package release

import (
	"context"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
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
// faults is not of a value that was given. There may be a fault in every line, so
// all are taken out in one walk.
func (p *pass) defaulted(wrong faults.List) (*values.Tree, bool) {
	in := lookup{}
	seen, all := map[fields.Path]bool{}, []fields.Path(nil)
	for _, f := range wrong {
		if f.Severity == faults.Warning {
			continue
		}
		at, steps := settingOf(f)
		if seen[at] {
			continue
		}
		if at == "" || !in.given(p.tree.Root(), steps) {
			return nil, false
		}
		seen[at], all = true, append(all, at)
	}
	return p.tree.WithoutAll(all), true
}

// settingOf is the value that a fault is about. Of a list it is the whole: another
// length means another thing.
func settingOf(f faults.Fault) (fields.Path, []fields.Step) {
	path := f.Field
	if f.Key != "" { // of a patch, whose field is an object's
		path = f.Key
	}
	steps := fields.Path(path).Steps()
	if i := slices.IndexFunc(steps, func(s fields.Step) bool { return s.Name == "" }); i >= 0 {
		steps = steps[:i]
	}
	var at fields.Path
	for _, s := range steps {
		at = at.Child(s.Name)
	}
	return at, steps
}

// lookup are the values of maps by their keys, each map read once.
type lookup map[*source.Node]map[string]*source.Node

func (in lookup) get(n *source.Node, key string) *source.Node {
	if n == nil || n.Kind != source.Mapping {
		return nil
	}
	if in[n] == nil {
		in[n] = make(map[string]*source.Node, len(n.Fields))
		for _, f := range n.Fields {
			in[n][f.Key.Value] = f.Value
		}
	}
	return in[n][key]
}

// given is true of a path that stands in the values, or whose beginning does.
func (in lookup) given(n *source.Node, steps []fields.Step) bool {
	for i, s := range steps {
		if n = in.get(n, s.Name); n == nil {
			return i > 0 && !strings.HasPrefix(steps[0].Name, "-")
		}
	}
	return true
}
