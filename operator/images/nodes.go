package images

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/runkora/kora/operator/placement"
	"github.com/runkora/kora/operator/settings"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// nodesKept is how long the platforms of nodes are remembered: they change seldom,
// and a large cluster's list is large.
const nodesKept = time.Minute

// nodes remembers the platforms of the nodes that run sandboxes.
type nodes struct {
	mu    sync.Mutex
	known []string
	until time.Time
}

// platforms gives "linux/amd64" and the like, sorted, of the nodes that the
// placement of sandboxes admits; of all nodes when there is none of those yet, as
// in a pool that scales to zero; and none when there is no node at all.
func (n *nodes) platforms(ctx context.Context, reader client.Reader, where settings.Placement, now time.Time) ([]string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if now.Before(n.until) && now.After(n.until.Add(-2*nodesKept)) {
		return n.known, nil
	}
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("NodeList"))
	if err := reader.List(ctx, list); err != nil {
		return nil, err
	}
	var fitting, all []string
	for _, node := range list.Items {
		if node.Labels[corev1.LabelOSStable] != "linux" || node.Labels[corev1.LabelArchStable] == "" {
			continue
		}
		platform := "linux/" + node.Labels[corev1.LabelArchStable]
		all = append(all, platform)
		if admits(where, node.ObjectMeta) {
			fitting = append(fitting, platform)
		}
	}
	if fitting == nil {
		fitting = all
	}
	slices.Sort(fitting)
	n.known, n.until = slices.Compact(fitting), now.Add(nodesKept)
	return n.known, nil
}

// admits reports whether node selector and required node affinity take a node, as
// the scheduler reads them. Taints are left out: they say who may come, not what
// the node can run.
func admits(where settings.Placement, node metav1.ObjectMeta) bool {
	return placement.Admits(&corev1.PodSpec{NodeSelector: where.NodeSelector, Affinity: where.Affinity}, &corev1.Node{ObjectMeta: node})
}
