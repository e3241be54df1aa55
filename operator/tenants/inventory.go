package tenants

import (
	"cmp"
	"slices"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

const maxItems = 256 // of the schema

// inventory orders the items by kind and name, one each. Where there are more
// than the schema takes, those that are right go first.
func inventory(items []v1alpha1.InventoryItem) []v1alpha1.InventoryItem {
	all := slices.Clone(items)
	slices.SortStableFunc(all, func(a, b v1alpha1.InventoryItem) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	all = slices.CompactFunc(all, func(a, b v1alpha1.InventoryItem) bool { return a.Kind == b.Kind && a.Name == b.Name })
	for i := len(all) - 1; i >= 0 && len(all) > maxItems; i-- {
		if all[i].State == v1alpha1.InventoryReady {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all[:min(len(all), maxItems)]
}
