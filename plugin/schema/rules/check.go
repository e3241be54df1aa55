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
	return values.Finished(joined(found, chart.schema(tree, own))).Sorted()
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
// know more, and of an unknown key the schema, which knows all there are.
func joined(rules, schema faults.List) faults.List {
	var out faults.List
	for _, f := range rules {
		if !word(f, schema) && (!generic(f) || !told(f, schema)) {
			out = append(out, f)
		}
	}
	rules = out
	for _, f := range schema {
		known := f.Code == faults.UnknownField && !secret(f, rules) || f.Code == faults.AmbiguousBool
		if known || !told(f, rules) {
			out = append(out, f)
		}
	}
	return out
}

// word reports whether a value is a plain word that the schema's check tells of:
// whatever else is wrong with it comes of that.
func word(f faults.Fault, schema faults.List) bool {
	return f.Key == "" && slices.ContainsFunc(schema, func(s faults.Fault) bool {
		return s.Code == faults.AmbiguousBool && s.Field == f.Field
	})
}

// generic reports whether a fault of the rules says less than the schema's: the
// keys that there are, and no names of Go types.
func generic(f faults.Fault) bool {
	return f.Key == "" && (f.Code == faults.UnknownField || f.Code == faults.WrongType && strings.Contains(f.Expected, "the fields of"))
}

// secret reports whether a fault is about a variable that is to come from a Secret,
// of which enough is said: its line holds what should be secret.
func secret(f faults.Fault, list faults.List) bool {
	for _, other := range list {
		if other.Code == faults.SecretsOnly && fields.Path(f.Field).Within(fields.Path(other.Field)) {
			return true
		}
	}
	return false
}

// told reports whether a list holds an error about a value, or about what is in it
// or around it.
func told(f faults.Fault, list faults.List) bool {
	at := fields.Path(f.Field)
	for _, other := range list {
		if f.Field == "" || other.Field == "" || other.Key != "" || other.Severity != faults.Error {
			continue
		}
		if field := fields.Path(other.Field); at.Within(field) || field.Within(at) {
			return true
		}
	}
	return false
}
