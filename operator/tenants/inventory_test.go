package tenants_test

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// rowIs tells whether the inventory has the object in this state, for this reason.
func rowIs(o *v1alpha1.KoraTenant, kind, name string, state v1alpha1.InventoryState, reason string) error {
	for _, item := range o.Status.Inventory {
		if item.Kind != kind || item.Name != name {
			continue
		}
		if item.State != state || reason != "" && !strings.HasPrefix(item.Reason, reason+": ") || reason == "" && item.Reason != "" {
			return fmt.Errorf("the row is %+v, and not %s for %q", item, state, reason)
		}
		return nil
	}
	return fmt.Errorf("no row %s %s in %+v", kind, name, o.Status.Inventory)
}
