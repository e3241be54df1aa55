package images

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/runkora/kora/operator/settings"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
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
		l := labels.Set(node.Labels)
		if l[corev1.LabelOSStable] != "linux" || l[corev1.LabelArchStable] == "" {
			continue
		}
		platform := l[corev1.LabelOSStable] + "/" + l[corev1.LabelArchStable]
		all = append(all, platform)
		if admits(where, l) {
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

// admits reports whether node selector and required node affinity take a node.
// Taints are left out: they say who may come, not what the node can run.
func admits(where settings.Placement, node labels.Set) bool {
	if !labels.SelectorFromSet(where.NodeSelector).Matches(node) {
		return false
	}
	if where.Affinity == nil || where.Affinity.NodeAffinity == nil || where.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return true
	}
	for _, term := range where.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		if termAdmits(term, node) {
			return true
		}
	}
	return false
}

// operators of node affinity as labels know them.
func operator(o corev1.NodeSelectorOperator) selection.Operator {
	switch o {
	case corev1.NodeSelectorOpIn:
		return selection.In
	case corev1.NodeSelectorOpNotIn:
		return selection.NotIn
	case corev1.NodeSelectorOpExists:
		return selection.Exists
	case corev1.NodeSelectorOpDoesNotExist:
		return selection.DoesNotExist
	case corev1.NodeSelectorOpGt:
		return selection.GreaterThan
	case corev1.NodeSelectorOpLt:
		return selection.LessThan
	}
	return ""
}

// termAdmits judges labels alone: a term on a node's name admits its platform too.
func termAdmits(term corev1.NodeSelectorTerm, node labels.Set) bool {
	for _, e := range term.MatchExpressions {
		r, err := labels.NewRequirement(e.Key, operator(e.Operator), e.Values)
		if err != nil || !r.Matches(node) {
			return false
		}
	}
	return len(term.MatchExpressions)+len(term.MatchFields) > 0
}
