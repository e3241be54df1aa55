package preflight

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

// notIn keeps pods from nodes with a label's value.
func notIn(key, value string) *corev1.Affinity {
	term := corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: corev1.NodeSelectorOpNotIn, Values: []string{value}}}}
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}}}
}

// R55: the mend of a node without a component is of what keeps that component away: of the
// taint, at the DaemonSet that is meant for the node; of what it selects, where none is; and
// of nothing, where its pod is there and waits.
func TestTheMendOfANodeIsOfWhatKeepsAway(t *testing.T) {
	gpu := facts.Node{Name: "gpu-1", Labels: map[string]string{"pool": "gpu"}, Taints: []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectNoExecute}}}
	all := []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	set := func(name string, affinity *corev1.Affinity, tolerates []corev1.Toleration) facts.DaemonSet {
		return facts.DaemonSet{Namespace: "spire", Name: name, Role: facts.SpireCSI, Affinity: affinity, Tolerations: tolerates}
	}
	away := notIn("pool", "gpu")
	selector := set("a", nil, all)
	selector.Selector = map[string]string{"pool": "cpu"}
	pressed := gpu
	pressed.Taints = []corev1.Taint{{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule}}
	for name, c := range map[string]struct {
		sets []facts.DaemonSet
		node facts.Node
		want string
	}{
		"a taint":                        {[]facts.DaemonSet{set("a", nil, nil)}, gpu, "patch daemonset a --type=json"},
		"a taint, beside another":        {[]facts.DaemonSet{set("a", away, nil), set("b", nil, nil)}, gpu, "patch daemonset b --type=json"},
		"affinity":                       {[]facts.DaemonSet{set("a", away, nil)}, gpu, "get daemonset a -o 'jsonpath={.spec.template.spec.nodeSelector}{.spec.template.spec.affinity.nodeAffinity}' # it selects other nodes than gpu-1"},
		"a selector":                     {[]facts.DaemonSet{selector}, gpu, "it selects other nodes than gpu-1"},
		"nothing":                        {[]facts.DaemonSet{set("a", nil, all)}, gpu, "spec.nodeName=gpu-1 # tells what it waits for there"},
		"nothing that it is kept by":     {[]facts.DaemonSet{set("a", nil, []corev1.Toleration{{Key: "gpu", Operator: corev1.TolerationOpExists}})}, gpu, "tells what it waits for there"},
		"pressure, which each tolerates": {[]facts.DaemonSet{set("a", nil, nil)}, pressed, "tells what it waits for there"},
		"none is installed":              {nil, gpu, "the chart spire has it"},
	} {
		v := &verdict{facts: goodFacts(t), Settings: goodSettings()}
		v.facts.DaemonSets.Value = c.sets
		if fix := v.daemonFix(facts.SpireCSI, c.node); !strings.Contains(fix, c.want) {
			t.Errorf("%s: %s", name, fix)
		}
	}
}
