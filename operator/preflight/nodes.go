package preflight

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/placement"
	"github.com/runkora/kora/operator/preflight/facts"
)

// named is the most nodes that one finding lists: the first few tell enough.
const named = 5

// disruption are taints that a node gets while its pods still run: a node
// component that they evict takes the sidecars' certificates away.
var disruption = [...]corev1.Taint{
	{Key: "karpenter.sh/disrupted", Effect: corev1.TaintEffectNoSchedule},
	{Key: "ToBeDeletedByClusterAutoscaler", Effect: corev1.TaintEffectNoSchedule},
}

func nodeChecks() []Check {
	return []Check{
		{
			ID: "node-daemons", Category: "nodes", Needs: []string{"spire-csi-driver"},
			Why: "an agent on a node without SPIRE's agent, its CSI driver and Istio's CNI gets no identity or does not start", judge: nodeDaemons,
		},
		{
			ID: "node-taints", Category: "nodes", Needs: []string{"node-daemons"},
			Why: "a node that is being taken away would lose its sidecars' certificates before its agents have ended", judge: nodeTaints,
		},
	}
}

func (v *verdict) daemons(role facts.Role) []facts.DaemonSet {
	var out []facts.DaemonSet
	for _, d := range v.facts.DaemonSets.Value {
		if d.Role == role {
			out = append(out, d)
		}
	}
	return out
}

// agentNodes are the nodes that some agent pod may be placed on.
func (v *verdict) agentNodes(pods []*corev1.PodSpec) []facts.Node {
	var out []facts.Node
	for _, n := range v.facts.Nodes.Value {
		if n.Ready && slices.ContainsFunc(pods, func(p *corev1.PodSpec) bool { return mayRun(p, n) }) {
			out = append(out, n)
		}
	}
	return out
}

// mayRun reads selector, required affinity and taints as the scheduler does.
func mayRun(pod *corev1.PodSpec, n facts.Node) bool {
	_, kept := placement.Untolerated(n.Taints, pod.Tolerations)
	return !kept && placement.Admits(pod, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}})
}

func nodeDaemons(v *verdict) {
	if !known(v, "the nodes", v.facts.Nodes) || !known(v, "the DaemonSets", v.facts.DaemonSets) {
		return
	}
	pods, known := v.placed()
	if !known {
		return
	}
	nodes := v.agentNodes(pods)
	if len(nodes) == 0 {
		v.warn(Finding{Message: "no node that is ready takes an agent", Field: "agents.workloads", Fix: v.on("kubectl", "get", "nodes", "--show-labels") + " # a pool that scales to zero is no mistake; else agents.workloads has to admit one of these"})
	}
	for _, role := range []facts.Role{facts.SpireAgent, facts.SpireCSI, facts.IstioCNI} {
		v.onEach(nodes, role)
	}
}

func (v *verdict) onEach(nodes []facts.Node, role facts.Role) {
	ready := map[string]bool{}
	for _, d := range v.daemons(role) {
		for _, name := range d.ReadyOn {
			ready[name] = true
		}
	}
	var without []facts.Node
	for _, n := range nodes {
		if !ready[n.Name] {
			without = append(without, n)
		}
	}
	if len(without) > 0 {
		v.fail(Finding{
			Message: "nodes that run agents have no ready pod of " + string(role), Found: some(namesOf(without)), Expected: fmt.Sprintf("one on each of %d nodes", len(nodes)),
			Fix: v.daemonFix(role, without[0]),
		})
	}
}

func namesOf(nodes []facts.Node) []string {
	var out []string
	for _, n := range nodes {
		out = append(out, n.Name)
	}
	return out
}

// some names the first few of many.
func some(names []string) string {
	slices.Sort(names)
	if len(names) <= named {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
}

func nodeTaints(v *verdict) {
	for _, d := range v.facts.DaemonSets.Value {
		for _, taint := range disruption {
			if _, kept := placement.Untolerated([]corev1.Taint{taint}, d.Tolerations); kept {
				v.fail(Finding{
					Message: "a node component does not tolerate a disruption taint", Object: "DaemonSet " + d.Namespace + "/" + d.Name,
					Field: "spec.template.spec.tolerations", Found: "nothing for " + taint.Key + ":" + string(taint.Effect), Expected: "{operator: Exists}",
					Fix: v.tolerate(d),
				})
				break
			}
		}
	}
}
