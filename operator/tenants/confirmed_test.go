package tenants_test

import (
	"errors"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
)

// R50: a deletion that somebody confirmed and nobody made is confirmed no more after a
// while: what lives in the tenant by then, nobody has read of.
func TestAConfirmationDoesNotLast(t *testing.T) {
	r := renew(t, "unsure")
	o := &v1alpha1.KoraTenant{ObjectMeta: metaNamed("unsure")}
	confirm := func() { patch(t, r.world, o, `{"metadata":{"annotations":{"runkora.io/confirm-deletion":"unsure"}}}`) }
	later := func(d time.Duration) {
		settle(t, r.world) // so that the operator has seen what came before
		r.clock.SetTime(r.clock.Now().Add(d))
		turn(t, r.world, "unsure")
		settle(t, r.world)
	}
	taken := func() {
		operatortest.Eventually(t, func() error {
			if tenants.Confirmed(get(t, r.world, &v1alpha1.KoraTenant{}, "", "unsure")) {
				return errors.New("it is confirmed still")
			}
			return nil
		})
	}
	confirm()
	later(14 * time.Minute)
	if !tenants.Confirmed(get(t, r.world, &v1alpha1.KoraTenant{}, "", "unsure")) {
		t.Error("there was no time to delete it")
	}
	later(2 * time.Minute)
	taken()
	confirm() // and each one has its own time
	later(14 * time.Minute)
	if !tenants.Confirmed(get(t, r.world, &v1alpha1.KoraTenant{}, "", "unsure")) {
		t.Error("the second one counts from the first")
	}
	later(2 * time.Minute)
	taken()
}
