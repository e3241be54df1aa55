package images

import (
	"github.com/runkora/kora/operator/images/registry"
	"k8s.io/utils/clock"
)

// Hurry has registries wait and be left alone for shorter than they are in a cluster.
func (r *Reconciler) Hurry(limits registry.Limits, now clock.PassiveClock) {
	r.registry.Limits, r.registry.Clock = limits, now
}
