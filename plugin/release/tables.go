package release

import (
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// tables warns of a map where the chart's default is none, and the other way
// round: the value takes the default's place, which the templates hardly expect,
// and Helm says so in a log alone.
func (p *pass) tables() faults.List {
	var found faults.List
	p.table(p.tree.Touched(), p.chart.Values, "", func(f faults.Fault) { found = append(found, f) })
	return found
}

// untold leaves out what was refused already, at the place or below it.
func untold(all, before faults.List) faults.List {
	return slices.DeleteFunc(all, func(f faults.Fault) bool {
		return slices.ContainsFunc(before, func(b faults.Fault) bool { return fields.Path(b.Field).Within(fields.Path(f.Field)) })
	})
}

func (p *pass) table(given *source.Node, values map[string]any, at fields.Path, tell func(faults.Fault)) {
	for _, f := range given.Fields {
		was, there := values[f.Key.Value]
		if !there || was == nil || f.Value.Null() {
			continue
		}
		path := at.Child(f.Key.Value)
		below, table := was.(map[string]any)
		switch {
		case table && f.Value.Kind == source.Mapping:
			p.table(f.Value, below, path, tell)
		case table != (f.Value.Kind == source.Mapping):
			tell(mixed(f, path, table))
		}
	}
}

// mixed is of a value that is no map where the default is one, or is one where it
// is not.
func mixed(at source.Field, path fields.Path, table bool) faults.Fault {
	message := "the value is a map, and the chart's default is none"
	if table {
		message = "the value is no map, and the chart's default is one"
	}
	f := at.Key.Pos.Fault(faults.TableIgnored, message)
	f.Field = string(path)
	return f
}
