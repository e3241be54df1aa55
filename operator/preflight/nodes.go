package preflight

import (
	"encoding/json"
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
	var without []string
	for _, n := range nodes {
		if !ready[n.Name] {
			without = append(without, n.Name)
		}
	}
	if len(without) > 0 {
		v.fail(Finding{
			Message: "nodes that run agents have no ready pod of " + string(role), Found: some(without), Expected: fmt.Sprintf("one on each of %d nodes", len(nodes)),
			Fix: v.daemonFix(role, without[0]),
		})
	}
}

// A patch that lets a DaemonSet run on every node, where it tolerates nothing by then.
const tolerateAll = `[{"op":"test","path":"/spec/template/spec/tolerations","value":null},{"op":"add","path":"/spec/template/spec/tolerations","value":[{"operator":"Exists"}]}]`

// daemonFix lets the DaemonSet tolerate every taint, where one does not, and
// otherwise shows what the node runs of it.
func (v *verdict) daemonFix(role facts.Role, node string) string {
	shown := func(behind string) string {
		return sound(v.on("kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector=spec.nodeName="+node)+behind, subdomain(node))
	}
	all := v.daemons(role)
	if len(all) == 0 {
		return shown(" # none is installed: " + map[facts.Role]string{facts.SpireAgent: "the chart spire has it", facts.SpireCSI: "the chart spire has it", facts.IstioCNI: "the chart cni of Istio is it"}[role])
	}
	for _, d := range all {
		if !slices.ContainsFunc(d.Tolerations, func(t corev1.Toleration) bool {
			return t.Operator == corev1.TolerationOpExists && t.Key == "" && t.Effect == ""
		}) {
			return v.tolerate(d)
		}
	}
	return shown(" # tells what it waits for there")
}

// tolerate adds to what the DaemonSet tolerates, which stays: what was seen is tested
// by the patch itself, so one that is run twice, or late, changes nothing.
func (v *verdict) tolerate(d facts.DaemonSet) string {
	patch := tolerateAll
	if len(d.Tolerations) > 0 {
		patch = tolerateMore(d.Tolerations)
	}
	return sound(v.on("kubectl", "-n", d.Namespace, "patch", "daemonset", d.Name, "--type=json", "-p", patch)+" # and in the values of its chart, or the next upgrade takes it back", label(d.Namespace), subdomain(d.Name))
}

func tolerateMore(seen []corev1.Toleration) string {
	const at = "/spec/template/spec/tolerations"
	type step struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	text, _ := json.Marshal([]step{{"test", at, seen}, {"add", at + "/-", corev1.Toleration{Operator: corev1.TolerationOpExists}}}) // plain texts and numbers
	return string(text)
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
