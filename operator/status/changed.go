package status

import (
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Changed wakes whoever writes a kind's statuses: when an object comes or goes,
// when its generation changes, and when its status does, by whomever it was
// written. A pass may have judged by a cache that did not hold the last status yet,
// and have found nothing to write: without its event a wrong one would stand until
// the next sync. It makes no loop, since who finds what it would write writes
// nothing (see Write).
func Changed() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		before, is := e.ObjectOld.(v1alpha1.Object)
		after, are := e.ObjectNew.(v1alpha1.Object)
		if !is || !are {
			return true
		}
		return before.GetGeneration() != after.GetGeneration() || before.GetUID() != after.GetUID() || !equality.Semantic.DeepEqual(rules.Status(before), rules.Status(after))
	}}
}
