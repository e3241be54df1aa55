package sizing

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/runkora/kora/internal/faults"
)

// Table writes the report for a person: a line a node, and for each pool the
// values to set.
func (r *Report) Table() []byte {
	var out bytes.Buffer
	w := tabwriter.NewWriter(&out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "POOL\tNODE\tALLOCATABLE\tDAEMONSETS\tLARGEST SANDBOX\tCLOSED")
	for _, n := range r.Nodes {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", dash(n.Pool), faults.Visible(n.Name), short(Exact(n.Allocatable)), short(Exact(n.DaemonSets)), short(Round(n.Largest)), dash(n.Closed))
	}
	w.Flush()
	fmt.Fprintf(&out, "\nbesides its size a sandbox requests %s\n", short(Exact(r.Beside)))
	switch {
	case r.InAll.CPU.Sign()+r.InAll.Memory.Sign() > 0:
		fmt.Fprintf(&out, "spec.resources of its pod requests %s in all, which no size is above\n", short(Exact(r.InAll)))
	case !r.Beside.Covers(r.Least):
		fmt.Fprintf(&out, "a node has room for its init containers or for none: they request %s\n", short(Exact(r.Least)))
	}
	if r.Class != "" {
		fmt.Fprintf(&out, "its RuntimeClass %s takes %s more for each pod\n", dash(r.Class), short(Exact(r.Overhead)))
	}
	for _, c := range r.Coming {
		fmt.Fprintf(&out, "DaemonSet %s of the values does not run yet on %d of the nodes, and counts there: %s\n", dash(c.Name), c.Nodes, short(Exact(c.Requests)))
	}
	for _, p := range r.Pools {
		p.write(&out)
	}
	return out.Bytes()
}

func (p *Pool) write(out *bytes.Buffer) {
	fmt.Fprintf(out, "\npool %s: %d nodes, %d open\n", dash(p.Name), p.Nodes, p.Nodes-p.Closed)
	switch {
	case p.Nodes == p.Closed:
		fmt.Fprintln(out, "no node of it is open, so nothing can be told")
	case p.MaxSize == nil:
		fmt.Fprintln(out, "an open node of it has no room for a sandbox of a tenth of a core, of memory and of disk, so no size fits them all")
	default:
		fmt.Fprintf(out, "the largest that fits each open node of it is\n\n  agents:\n    environments:\n      maxSize: %s\n", p.MaxSize.yaml())
		if p.DefaultSize != nil {
			fmt.Fprintf(out, "      defaultSize: %s\n", p.DefaultSize.yaml())
		}
		fmt.Fprintf(out, "\nor in whole numbers %s\n", p.Offer.yaml())
	}
}

func (v *Values) yaml() string {
	return fmt.Sprintf("{ cpu: %q, memory: %s, disk: %s }", v.CPU, scalar(v.Memory), scalar(v.Disk))
}

// scalar is a quantity that YAML reads as a text: 1e9 is a number to it.
func scalar(q string) string {
	if strings.HasSuffix(q, "i") {
		return q
	}
	return strconv.Quote(q)
}

// short is cpu, memory and disk in one cell.
func short(v Values) string { return v.CPU + " / " + v.Memory + " / " + v.Disk }

// dash is a text of the cluster's, with whatever would drive a terminal written out.
func dash(text string) string {
	if text == "" {
		return "-"
	}
	return faults.Visible(text)
}
