package gather

import (
	"cmp"
	"slices"

	"github.com/runkora/kora/operator/preflight/facts"
)

// reserved are namespaces that the platform has for itself: no tenant may have
// one of these names (R50), and the charts of Istio and SPIRE go there.
var reserved = map[string]bool{"istio-system": true, "spire-system": true, "spire-server": true, "kube-system": true}

// trustsNode reports whether a node component is the cluster's own: it runs where
// the platform's do, or the cluster lets it mount files of its nodes, which nobody
// gets whom it does not trust with them. Its image alone says nothing.
func trustsNode(namespace string, files bool) bool { return reserved[namespace] || files }

// stranger tells of something that looks like a part of the platform and from
// which nothing is taken.
func (r *reader) stranger(of, object, why string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	one := facts.Stranger{Of: of, Object: object, Why: why}
	if len(r.strangers) < mostStrangers && !slices.Contains(r.strangers, one) {
		r.strangers = append(r.strangers, one)
	}
}

const mostStrangers = 20

// told are the strangers, sorted.
func (r *reader) told() []facts.Stranger {
	slices.SortFunc(r.strangers, func(a, b facts.Stranger) int { return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.Object, b.Object)) })
	return r.strangers
}
