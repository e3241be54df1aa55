package registries

import (
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
)

// maxItems leaves room in a tenant's inventory for what others keep.
const maxItems = 64

// rows are the objects that the registries keep in a tenant's namespace, as the
// statuses of the resources tell of them: those that are not right first, so that
// one row is left of an object of which both is told.
type rows struct{ broken, right []v1alpha1.InventoryItem }

// add lists what is kept for one resource. Of one that is wrong for another reason
// there is nothing.
func (r *rows) add(kind string, o v1alpha1.Object, v status.Verdict) {
	provider, _ := o.(*v1alpha1.ModelProvider)
	switch {
	case v.True():
		if provider != nil && provider.Status.ServiceEntry != "" {
			r.list("ServiceEntry", provider.Status.ServiceEntry, v)
		}
		if needOf(o) != nil {
			r.grant(readers()[kind], v)
		}
	case provider != nil && strings.HasPrefix(v.Message, ofEntry):
		r.list("ServiceEntry", entryName(provider.Name), v)
	case strings.HasPrefix(v.Message, ofGrant):
		r.grant(readers()[kind], v)
	}
}

// grant is the two objects by which a service reads Secrets.
func (r *rows) grant(service string, v status.Verdict) {
	for _, kind := range []string{"Role", "RoleBinding"} {
		r.list(kind, GrantName(service), v)
	}
}

func (r *rows) list(kind, name string, v status.Verdict) {
	to := &r.right
	if !v.True() {
		to = &r.broken
	}
	if item := status.Item(kind, name, v); len(*to) < maxItems && !told(*to, item) {
		*to = append(*to, item)
	}
}

// items are all, each object once.
func (r *rows) items() []v1alpha1.InventoryItem {
	all := r.broken
	for _, one := range r.right {
		if !told(r.broken, one) {
			all = append(all, one)
		}
	}
	return all
}

func told(all []v1alpha1.InventoryItem, one v1alpha1.InventoryItem) bool {
	for _, known := range all {
		if known.Kind == one.Kind && known.Name == one.Name {
			return true
		}
	}
	return false
}
