package release

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/schema/rules"
)

// checkValues finds what is wrong with the values, by the schema that the chart
// carries, and by kora's own rules where it is kora's chart (R20).
func (p *pass) checkValues() faults.List {
	c := rules.Chart{Name: p.chart.Name(), Version: p.chart.Metadata.AppVersion, Schema: p.chart.Schema}
	for _, f := range p.chart.Raw {
		if f.Name == "values.yaml" {
			c.Values = f.Data
		}
	}
	found := rules.Check(p.tree, c)
	for i, f := range found { // of the chart's own files
		if name, ok := strings.CutPrefix(f.File, p.chart.Name()+"/values."); ok {
			found[i] = p.inChart(f, p.chart.Name()+"/values."+name)
		}
	}
	return found
}
