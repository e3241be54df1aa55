package values

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/agents"
)

// Operated returns the values as the operator gets them: what kora-agents gets, with
// what the operator's own configOverrides set merged last (R23).
func (t *Tree) Operated() *Tree { return t.Overridden().overridden("operator") }

// placedWhole lays common's affinity under a placement that has none: the operator
// is told of a whole one, and its configOverrides are merged over that.
func (t *Tree) placedWhole(m Meaning) *source.Node {
	workload, ok := strings.CutPrefix(m.Value, "agents.workloads.")
	common := t.value("agents", "workloads", "common", "affinity")
	if !ok || len(common.entries()) == 0 || len(t.value("agents", "workloads", workload, "affinity").entries()) > 0 {
		return t.root
	}
	return put(t.root, []string{"agents", "workloads", workload, "affinity"}, common.node)
}

// overriding are the faults of what the operator's configOverrides set in place of
// values: of the values themselves, and of kora-agents', others have told.
func (t *Tree) overriding(told faults.List) faults.List {
	if len(t.value("operator", "configOverrides").entries()) == 0 {
		return nil
	}
	over := t.Operated()
	var out faults.List
	for _, f := range over.named(over.check()) {
		switch setting := over.placement(f.Field); {
		case !strings.HasPrefix(f.Field, "operator.configOverrides"):
		case f.Code != faults.NoNode || !setting.given():
			out = append(out, f)
		case !slices.ContainsFunc(told, func(other faults.Fault) bool { return other.Code == f.Code && other.Message == f.Message }):
			out = append(out, setting.node.Pos.Move(f))
		}
	}
	if split := t.apart(over, out); len(split) > 0 {
		return append(out, split...)
	}
	return append(out, t.astray(over, out)...)
}

// placements are the settings of the operator that say where agents' pods are.
func (t *Tree) placements() []value {
	module := t.value("operator", "configOverrides", "internal/operator")
	return []value{module.child("sandboxPlacement"), module.child("installation", "sessionManagerPlacement")}
}

// placement is the one of them that has a path.
func (t *Tree) placement(path string) value {
	for _, v := range t.placements() {
		if string(v.path) == path {
			return v
		}
	}
	return value{}
}

// apart refuses settings of the operator by which the session-manager and the sandbox
// are placed apart, where the agents themselves are not (R9). It stands at the
// setting that says something of nodes, the sandbox's first.
func (t *Tree) apart(over *Tree, found faults.List) faults.List {
	for _, v := range t.placements() {
		if len(v.child("nodeSelector").entries())+len(v.child("affinity").entries()) == 0 {
			continue
		}
		if over.split() && !t.Overridden().split() && !t.unsound(found) {
			f := v.node.Pos.Fault(faults.SplitPlacement, "the session-manager and the sandbox are placed apart over a workspace that is not ReadWriteMany")
			f.Field = string(v.path)
			f.Expected = "every node of the session-manager admitted for the sandbox"
			f.Fix = "place both alike, or set agents.workspace.accessModes to [ReadWriteMany]"
			return faults.List{f}
		}
		break
	}
	return nil
}

// unsound reports whether a fault of a placement was found: what it admits comes of
// that.
func (t *Tree) unsound(found faults.List) bool {
	return slices.ContainsFunc(found, func(f faults.Fault) bool {
		return slices.ContainsFunc(t.placements(), func(v value) bool { return strings.HasPrefix(f.Field, string(v.path)) })
	})
}

// split reports whether agents are placed apart over a workspace that one node has.
func (t *Tree) split() bool {
	s, _ := t.Settings("", Agent{})
	return !agents.Shared(s.Workspace.AccessModes) && agents.SplitPlacement(spec(s.SessionManager), spec(s.Sandbox)) != nil
}

func spec(w agents.Workload) *corev1.PodSpec {
	return &corev1.PodSpec{NodeSelector: w.NodeSelector, Affinity: w.Affinity}
}
