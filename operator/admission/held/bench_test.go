package held_test

import (
	"fmt"
	"testing"

	"k8s.io/utils/clock"

	"github.com/runkora/kora/operator/admission/held"
)

// What a request costs while its tenant has a full share.
func BenchmarkTakeOfAFullShare(b *testing.B) {
	h := held.New(clock.RealClock{})
	for n := range fit - 2 {
		h.OnAdd(large("a", fmt.Sprint(n)), true)
	}
	small := large("a", "small")
	small.Spec.AllowedPaths = nil
	for b.Loop() {
		if full, err := h.Take(small, nil, true); full != nil || err != nil {
			b.Fatal(full, err)
		}
	}
}
