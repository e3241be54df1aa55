package sizing

import (
	"context"
	"errors"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	core "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/runkora/kora/internal/kube"
)

// lists is a cluster of nodes and pods that come one a page. Their labels are one
// text in memory, whatever a kept one counts.
type lists struct {
	core.CoreV1Interface
	nodes, pods int
	owner       string
	label       string
}

func (l lists) Nodes() core.NodeInterface     { return nodeList{of: l} }
func (l lists) Pods(string) core.PodInterface { return podList{of: l} }

type nodeList struct {
	core.NodeInterface
	of lists
}

type podList struct {
	core.PodInterface
	of lists
}

// List is of core.NodeInterface.
func (l nodeList) List(_ context.Context, o metav1.ListOptions) (*corev1.NodeList, error) {
	n := corev1.Node{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": l.of.label}, Annotations: map[string]string{"dropped": l.of.label}}}
	return &corev1.NodeList{ListMeta: after(o, l.of.nodes), Items: []corev1.Node{n}}, nil
}

// List is of core.PodInterface.
func (l podList) List(_ context.Context, o metav1.ListOptions) (*corev1.PodList, error) {
	p := owned(l.of.owner, "a", nil)
	p.Labels = map[string]string{"a": l.of.label}
	return &corev1.PodList{ListMeta: after(o, l.of.pods), Items: []corev1.Pod{p}}, nil
}

// after is what says that another page is there: the token has one letter a page.
func after(o metav1.ListOptions, pages int) metav1.ListMeta {
	if len(o.Continue)+1 < pages {
		return metav1.ListMeta{Continue: o.Continue + "x"}
	}
	return metav1.ListMeta{}
}

// R10, R55: what is kept of nodes and of pods has one bound, which is told and is no
// report of what came before it; what is not kept does not count.
func TestWhatIsKeptOfAClusterIsBounded(t *testing.T) {
	label := strings.Repeat("x", keptLimit/8)
	for name, c := range map[string]struct {
		from  lists
		fault bool
	}{
		"seven eighths":                  {lists{nodes: 4, pods: 3, owner: "DaemonSet"}, false},
		"nodes beyond it":                {lists{nodes: 8, pods: 1, owner: "ReplicaSet"}, true},
		"pods beyond it":                 {lists{nodes: 1, pods: 8, owner: "DaemonSet"}, true},
		"both together":                  {lists{nodes: 5, pods: 4, owner: "DaemonSet"}, true},
		"pods that nobody here looks at": {lists{nodes: 1, pods: 20, owner: "ReplicaSet"}, false},
	} {
		c.from.label = label
		nodes, _, err := Read(t.Context(), c.from, "")
		var said kube.Said
		if c.fault != errors.As(err, &said) || c.fault && !strings.Contains(kube.Fault(err).Message, "lists hold more than 256 MiB") {
			t.Errorf("%s: %v", name, err)
		}
		if !c.fault && len(nodes) != c.from.nodes {
			t.Errorf("%s: %d nodes", name, len(nodes))
		}
	}
}
