package values

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
)

// nowhere refuses a placement that admits no node at all: its pods would wait for
// ever, and a session-manager that runs nowhere is not placed apart from its
// sandboxes either (R9).
func (c *checker) nowhere() {
	block := c.tree.value("agents", "workloads")
	common := block.child("common").workload()
	for _, w := range []struct{ name, what string }{{"sessionManager", "session-manager"}, {"sandbox", "sandbox"}} {
		own := agents.MergeWorkload(common, block.child(w.name).workload())
		if c.shaky("common") || c.shaky(w.name) || !admitsNone(own) {
			continue
		}
		f := c.tree.placedBy(w.name).Fault(faults.NoNode, "no node can be admitted by the node selector and the required node affinity of the "+w.what)
		f.Field = "agents.workloads." + w.name
		f.Expected, f.Fix = "a placement that some node can meet", "ask each label for one thing"
		c.refuse(f)
	}
}

// shaky reports whether a fault of the node selector or the affinity of a block
// was found: what it admits comes of that.
func (c *checker) shaky(block string) bool {
	return slices.ContainsFunc(c.found, func(f faults.Fault) bool {
		rest, ok := strings.CutPrefix(f.Field, "agents.workloads."+block+".")
		return ok && (strings.HasPrefix(rest, "nodeSelector") || strings.HasPrefix(rest, "affinity"))
	})
}

// admitsNone: placed apart from a sandbox that no node admits, every workload is
// split, but one that itself is admitted nowhere.
func admitsNone(w agents.Workload) bool {
	nothing := &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{}}}}
	return agents.SplitPlacement(
		&corev1.PodSpec{NodeSelector: w.NodeSelector, Affinity: w.Affinity},
		&corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: nothing}},
	) == nil
}

// placedBy is the place of the setting that decides where a workload goes: its
// own node affinity or selector, else that of common.
func (t *Tree) placedBy(name string) source.Pos {
	for _, block := range []string{name, "common"} {
		v := t.value("agents", "workloads", block)
		if at, _, ok := v.child("affinity", "nodeAffinity").decides(required); ok {
			return at
		}
		if at, _, ok := v.decides("nodeSelector"); ok {
			return at
		}
	}
	return source.Pos{}
}
