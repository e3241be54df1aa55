package rules

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/runkora/kora"
	"github.com/runkora/kora/charts"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/schema"
	"github.com/runkora/kora/plugin/values"
)

// Chart is what the checks need of a chart.
type Chart struct {
	Name    string // of Chart.yaml: kora's own rules are for a chart called kora
	Version string // its appVersion, against whose major a theme is judged
	Schema  []byte // values.schema.json, empty where the chart has none
	Values  []byte // values.yaml, empty where the chart has none
}

// Embedded is the chart kora of this binary.
func Embedded() (Chart, error) {
	files, err := charts.Open(charts.Kora)
	if err != nil {
		return Chart{}, err
	}
	c := Chart{Name: charts.Kora, Version: kora.Version()}
	if c.Schema, err = fs.ReadFile(files, "values.schema.json"); err != nil {
		return Chart{}, fmt.Errorf("the embedded chart: %w", err)
	}
	if c.Values, err = fs.ReadFile(files, "values.yaml"); err != nil {
		return Chart{}, fmt.Errorf("the embedded chart: %w", err)
	}
	return c, nil
}

// Check returns every fault of the values of a release under a chart, ordered by
// place, errors and warnings (R9 to R16, R20 to R35). Those that values.Load
// found are not among them.
func Check(tree *values.Tree, chart Chart) faults.List {
	own, found := chart.values()
	if chart.Name == charts.Kora {
		j := &judge{tree: tree, all: tree.Over(own), version: cmp.Or(chart.Version, kora.Version())}
		found = append(found, j.judged()...)
	}
	return values.Finished(tree.Hushed(once(tree, joined(found, chart.schema(tree, own))))).Sorted()
}

// values reads the chart's own.
func (c Chart) values() (*values.Tree, faults.List) {
	return values.Read(source.NewFile(cmp.Or(c.Name, "chart")+"/values.yaml", string(c.Values)))
}

func (c Chart) schema(tree, own *values.Tree) faults.List {
	if len(c.Schema) == 0 {
		return nil
	}
	s, found := schema.Parse(cmp.Or(c.Name, "chart")+"/values.schema.json", c.Schema)
	if s == nil {
		return found
	}
	return s.Check(tree, own)
}

// joined puts the schema's faults to those of the rules. Of one value the rules
// know more; of an unknown key the schema, which knows all there are.
func joined(rules, schema faults.List) faults.List {
	var out faults.List
	of, words, unknown := within(schema, ""), within(schema, faults.AmbiguousBool), within(schema, faults.UnknownField)
	for _, f := range rules {
		if f.Key == "" && unknown.hold(f) {
			continue // what is in a key that there is not
		}
		if f.Key != "" || !words.exactly[f.Field] && (!generic(f) || !of.tell(f)) {
			out = append(out, f)
		}
	}
	of, secrets := within(out, ""), within(out, faults.SecretsOnly)
	embedded := keyed(out)
	for _, f := range schema {
		if embedded.exactly[f.Field] || embedded.hold(f) {
			continue // the patches and the theme know more of their own texts
		}
		known := f.Code == faults.UnknownField && !secrets.tell(f) || f.Code == faults.AmbiguousBool
		if known || !of.tell(f) {
			out = append(out, f)
		}
	}
	return out
}

// generic reports whether a fault of the rules says less than the schema's: the
// keys that there are, and no names of Go types.
func generic(f faults.Fault) bool {
	return f.Code == faults.UnknownField || f.Code == faults.WrongType && strings.Contains(f.Expected, "the fields of")
}

// keyed are the texts and entries in the values that faults with a key are about.
func keyed(list faults.List) places {
	p := places{exactly: map[string]bool{}}
	for _, f := range list {
		if f.Key == "" || f.Severity != faults.Error {
			continue
		}
		p.exactly[f.Key] = true
		if name, ok := strings.CutPrefix(f.Key, patchesKey+"."); ok {
			p.exactly[string(fields.Path(patchesKey).Child(name))] = true
		}
	}
	return p
}

const (
	themeKey   = "theme.document"
	patchesKey = "agents.manifestPatches"
)

// places are those that a list of faults is about.
type places struct{ exactly, around map[string]bool }

// within are the places of the errors in a list that have a code, or any.
func within(list faults.List, code faults.Code) places {
	p := places{map[string]bool{}, map[string]bool{}}
	for _, f := range list {
		if f.Field == "" || f.Key != "" || f.Severity != faults.Error || code != "" && f.Code != code {
			continue
		}
		p.exactly[f.Field] = true
		for _, parent := range parents(f.Field) {
			p.around[parent] = true
		}
	}
	return p
}

// tell reports whether one of the faults is about a value, about what is in it, or
// about what it is in.
func (p places) tell(f faults.Fault) bool {
	return f.Field != "" && (p.exactly[f.Field] || p.around[f.Field] ||
		p.hold(f))
}

// hold reports whether a fault lies in a value that one of the faults is about.
func (p places) hold(f faults.Fault) bool {
	return slices.ContainsFunc(parents(f.Field), func(parent string) bool { return p.exactly[parent] })
}

// parents are the paths around one, from the outside.
func parents(path string) []string {
	var out []string
	for i, r := range path {
		if i > 0 && (r == '.' || r == '[') {
			out = append(out, path[:i])
		}
	}
	return out
}
