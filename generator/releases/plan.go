package releases

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Table is the waves for people: which release goes when, from which chart, and
// after which others.
func (g *Graph) Table() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "WAVE\tRELEASE\tCHART\tNEEDS")
	wave := g.Waves()
	for _, r := range g.Releases {
		needs := strings.Join(r.Needs, ", ")
		if needs == "" {
			needs = "-"
		}
		fmt.Fprintf(w, "%d\t%s\t%s %s\t%s\n", wave[r.Name], r.Name, r.Chart, r.Version, needs)
	}
	w.Flush()
	return b.String()
}

// Mermaid is the graph in Mermaid's language, as GitHub and GitLab draw it.
func (g *Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, names := range g.InWaves() {
		fmt.Fprintf(&b, "  subgraph wave%d [wave %d]\n", i, i)
		for _, name := range names {
			r := g.Release(name)
			fmt.Fprintf(&b, "    %s[\"%s<br/>%s %s\"]\n", name, name, r.Chart, r.Version)
		}
		b.WriteString("  end\n")
	}
	for _, r := range g.Releases {
		for _, need := range r.Needs {
			fmt.Fprintf(&b, "  %s --> %s\n", need, r.Name)
		}
	}
	return b.String()
}
