package preflight

import (
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/placement"
	"github.com/runkora/kora/operator/preflight/facts"
)

// A patch that lets a DaemonSet run on every node, where it tolerates nothing by then.
const tolerateAll = `[{"op":"test","path":"/spec/template/spec/tolerations","value":null},{"op":"add","path":"/spec/template/spec/tolerations","value":[{"operator":"Exists"}]}]`

// daemonFix lets the DaemonSet that is meant for a node tolerate its taints, where one
// keeps it away. Otherwise it shows what selects other nodes, or what the node runs of it.
func (v *verdict) daemonFix(role facts.Role, node facts.Node) string {
	shown := func(behind string) string {
		return sound(v.on("kubectl", "get", "pods", "-A", "-o", "wide", "--field-selector=spec.nodeName="+node.Name)+behind, subdomain(node.Name))
	}
	all := v.daemons(role)
	if len(all) == 0 {
		return shown(" # none is installed: " + map[facts.Role]string{facts.SpireAgent: "the chart spire has it", facts.SpireCSI: "the chart spire has it", facts.IstioCNI: "the chart cni of Istio is it"}[role])
	}
	meant := slices.DeleteFunc(slices.Clone(all), func(d facts.DaemonSet) bool { return !admits(d, node) })
	if len(meant) == 0 {
		return v.unselect(all[0], node)
	}
	for _, d := range meant {
		if taint, kept := placement.Untolerated(node.Taints, d.Tolerations); kept && !strings.HasPrefix(taint.Key, "node.kubernetes.io/") {
			return v.tolerate(d)
		}
	}
	return shown(" # tells what it waits for there")
}

// admits reports whether a DaemonSet's node selector and affinity admit a node.
func admits(d facts.DaemonSet, n facts.Node) bool {
	return placement.Admits(&corev1.PodSpec{NodeSelector: d.Selector, Affinity: d.Affinity}, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: n.Name, Labels: n.Labels}})
}

// unselect shows what keeps a DaemonSet from a node. What is to become of it only its
// owner can say: the node may be labelled, or the DaemonSet select more.
func (v *verdict) unselect(d facts.DaemonSet, node facts.Node) string {
	shown := v.on("kubectl", "-n", d.Namespace, "get", "daemonset", d.Name, "-o", "jsonpath={.spec.template.spec.nodeSelector}{.spec.template.spec.affinity.nodeAffinity}")
	return sound(shown+" # it selects other nodes than "+node.Name+": change that in the values of its chart, or have agents.workloads and the RuntimeClass place agents where it runs", label(d.Namespace), subdomain(d.Name), subdomain(node.Name))
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
