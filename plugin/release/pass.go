package release

import (
	"helm.sh/helm/v3/pkg/chart"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/plugin/values"
)

// pass is one Render.
type pass struct {
	request Request
	out     *Result
	tree    *values.Tree
	chart   *chart.Chart
	folder  bool // the chart is one on disk, whose templates are files
	origins *origins
	traced  int // faults whose origin was looked for
}

func (p *pass) add(found ...faults.Fault) { p.out.Found = append(p.out.Found, found...) }
