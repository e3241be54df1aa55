package upkeep_test

import (
	"testing"
	"time"

	"github.com/runkora/kora/operator/upkeep"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// R50: what fails is tried again at once at first, then less and less often, and never
// later than half a minute after the last time, however often it failed.
func TestWhatFailsIsTriedBeforeLong(t *testing.T) {
	o := upkeep.Options(3)
	if o.MaxConcurrentReconciles != 3 {
		t.Errorf("%d at once", o.MaxConcurrentReconciles)
	}
	before := time.Duration(0)
	for n := range 200 {
		wait := o.RateLimiter.When(reconcile.Request{})
		if n == 0 && wait > 100*time.Millisecond || wait > 30*time.Second || wait < before {
			t.Fatalf("after %d failures: %s", n+1, wait)
		}
		before = wait
	}
	if before != 30*time.Second {
		t.Errorf("in the end: %s", before)
	}
	if wait := o.RateLimiter.When(reconcile.Request{}); upkeep.Options(3).RateLimiter.When(reconcile.Request{}) >= wait {
		t.Error("one controller's failures are another's")
	}
}
