package registries

import (
	"slices"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
)

// MaxTenant is how many bytes the entries of one tenant may have in the registry of one
// kind (R51). The webhook admits no more, by [rules.Share]: what is beyond was made
// while no webhook served.
const MaxTenant = rules.Share

// bound leaves out what is beyond a tenant's bytes. The oldest stay, whatever is made
// later: nothing new ever drives out what is in use. All resources are of one kind,
// sorted by tenant.
func bound(all []*resource, most int) {
	for len(all) > 0 {
		next := slices.IndexFunc(all, func(r *resource) bool { return r.object.GetNamespace() != all[0].object.GetNamespace() })
		if next < 0 {
			next = len(all)
		}
		boundOne(all[:next], most)
		all = all[next:]
	}
}

func boundOne(of []*resource, most int) {
	size := 0
	for _, r := range of {
		size += len(r.entry)
	}
	if size <= most {
		return
	}
	size = 0
	for _, r := range byAge(of) {
		if size += len(r.entry); size > most && r.entry != nil {
			r.finding = finding{verdict: status.Bad(v1alpha1.ReasonInvalid,
				"spec: the resources of this kind in %s take more than the %d bytes that one tenant has in a registry, and this one is beyond, as the older ones come first: delete or shrink some of them", r.object.GetNamespace(), most)}
		}
	}
}

func byAge(of []*resource) []*resource {
	return slices.SortedFunc(slices.Values(of), func(a, b *resource) int {
		return rules.ByAge(a.object, b.object)
	})
}
