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
	f.Found = fmt.Sprintf("%d nodes that %s does not admit, %d that are closed", r.Elsewhere, by, len(r.Nodes))
	if len(r.Nodes) > 0 {
		f.Found += fmt.Sprintf(", the first of them %s: %s", r.Nodes[0].Name, r.Nodes[0].Closed)
	}
	return f
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
