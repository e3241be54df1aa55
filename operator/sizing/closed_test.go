package sizing

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// R10: where no node is open, each reason is told once, with a node that it is of and how
// many more there are, and no message grows with the cluster.
func TestEachReasonOfClosedNodesIsTold(t *testing.T) {
	var nodes []corev1.Node
	add := func(name string, spoil func(*corev1.Node)) {
		n := node(name, nil, list("16", "32Gi", "80Gi"))
		spoil(&n)
		nodes = append(nodes, n)
	}
	cordoned := func(n *corev1.Node) { n.Spec.Unschedulable = true }
	add("a", cordoned)
	add("b", func(n *corev1.Node) { n.Status.Conditions = nil })
	add("c", cordoned)
	found := Judge(Request{Wanted: wanted(t), Nodes: nodes}).Faults(wanted(t))
	if want := "3 that are closed; a: cordoned, with 1 more; b: not ready"; len(found) != 1 || !strings.HasSuffix(found[0].Found, want) {
		t.Errorf("%+v, want %q", found, want)
	}
	for i := range 500 {
		add(fmt.Sprintf("n%d", i), func(n *corev1.Node) {
			n.Spec.Taints = []corev1.Taint{{Key: fmt.Sprintf("own-%d", i), Effect: corev1.TaintEffectNoSchedule}}
		})
	}
	if got := Judge(Request{Wanted: wanted(t), Nodes: nodes}).Faults(wanted(t))[0].Found; !strings.HasSuffix(got, "; and 497 more reasons") || len(got) > 1000 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}
