package sizing

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
)

// Faults says what is wrong with the two sizes on these nodes: one that fits no
// node, and that there was no node to judge by.
func (r *Report) Faults(s Sandbox) faults.List {
	open := 0
	for _, n := range r.Nodes {
		if n.Closed == "" {
			open++
		}
	}
	if open == 0 {
		return faults.List{r.noNode()}
	}
	var found faults.List
	for _, c := range []struct {
		key  string
		size Amount
	}{{"defaultSize", s.Default}, {"maxSize", s.Largest}} {
		if !r.Fits(c.size) {
			found = append(found, r.tooLarge("agents.environments."+c.key, c.size))
		}
	}
	return found
}

func (r *Report) noNode() faults.Fault {
	f := faults.New(faults.NoSandboxNode, "no node that is open takes a sandbox")
	f.File, f.Field = "cluster", "agents.workloads.sandbox"
	if r.Elsewhere+len(r.Nodes) == 0 {
		f.Message, f.Field, f.Found = "there is no node to look at", "", "no node, or none with the labels that were asked for"
		f.Fix = "check the labels of --nodes by kubectl get nodes --show-labels, or start a node"
		return f
	}
	by := "the placement"
	if r.Class != "" {
		by += ", with what RuntimeClass " + r.Class + " adds to it,"
	}
	f.Found = fmt.Sprintf("%d nodes that %s does not admit, %d that are closed", r.Elsewhere, by, len(r.Nodes)) + r.reasons()
	return f
}

// told is how many reasons one message gives.
const told = 5

// reasons are why the nodes are closed, each once with the first node that it is of.
func (r *Report) reasons() (words string) {
	many, first := map[string]int{}, []Node{}
	for _, n := range r.Nodes {
		if many[n.Closed]++; many[n.Closed] == 1 {
			first = append(first, n)
		}
	}
	for _, n := range first[:min(len(first), told)] {
		words += fmt.Sprintf("; %s: %s", n.Name, n.Closed)
		if more := many[n.Closed] - 1; more > 0 {
			words += fmt.Sprintf(", with %d more", more)
		}
	}
	if len(first) > told {
		words += fmt.Sprintf("; and %d more reasons", len(first)-told)
	}
	return words
}

func (r *Report) tooLarge(key string, size Amount) faults.Fault {
	f := faults.New(faults.SizeFitsNone, "a sandbox of this size fits no node")
	f.File, f.Field = "cluster", key
	f.Found = written(Exact(size))
	var best *Pool
	for i, p := range r.Pools {
		if p.MaxSize != nil && (best == nil || p.Every.CPU.Cmp(best.Every.CPU) > 0) {
			best = &r.Pools[i]
		}
	}
	if !less(r.InAll.over(plus(size, r.Beside)), r.Beside).Covers(size) {
		f.Fix = "lower the size, or raise or remove spec.resources in the patches of the sandbox: its pod has no more than that on any node"
		return f
	}
	if f.Expected, f.Fix = "", "add larger nodes: none has room for a sandbox"; best != nil {
		f.Expected, f.Fix = "at most "+written(*best.MaxSize), ""
	}
	return f
}

func written(v Values) string {
	return fmt.Sprintf("cpu %s, memory %s, disk %s", v.CPU, v.Memory, v.Disk)
}
