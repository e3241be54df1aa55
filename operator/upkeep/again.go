package upkeep

import (
	"time"

	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// first and last are when what failed is tried again, twice as long after each time. Nobody
// watches what makes it fail, such as a quota or an API server that is away, and who
// has mended that is not to wait for minutes: controller-runtime's own last is a quarter of an hour.
const (
	first = 50 * time.Millisecond
	last  = 30 * time.Second
)

// Options are how a controller of the operator's works: on so many at once, and with
// what failed again before long (R50).
func Options(atOnce int) controller.Options {
	return controller.Options{MaxConcurrentReconciles: atOnce, RateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](first, last)}
}
