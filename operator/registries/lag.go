package registries

import (
	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/types"
)

// oldest are when the first entry of each host was made, of those that stay.
func (m *mesh) oldest(providers []*resource) map[string]int64 {
	first := map[string]int64{}
	for _, r := range providers {
		is, there := m.there[entryNameOf(r)]
		if !there || !m.only || !r.verdict.True() {
			continue
		}
		host, _ := endpoint(r.object.(*v1alpha1.ModelProvider))
		if at, known := first[host]; !known || is.made < at {
			first[host] = is.made
		}
	}
	return first
}

// due reports whether an entry is to be written in this pass. One whose ports alone are
// those of before has time until the next full pass, unless Istio goes by it, as the oldest
// of its host, or it is not as the operator left it: whoever opens and closes ports of a
// host that all tenants use has a few entries written each time, and not everybody's (R51).
func (m *mesh) due(r *resource, want entry, oldest map[string]int64) bool {
	name, p := entryNameOf(r), r.object.(*v1alpha1.ModelProvider)
	is, there := m.there[name]
	switch {
	case there && is.is(want):
		return false
	case !there || is.rest != want.rest || m.all || m.meddled[name]:
		return true
	}
	host, _ := endpoint(p)
	return is.made <= oldest[host] || p.Status.ObservedGeneration != p.Generation
}

// moved are those of the entries listed now that are not as they were seen last, and those
// that were found so before and were not put right yet.
func (m *mesh) moved(now map[types.NamespacedName]entry) map[types.NamespacedName]bool {
	out := map[types.NamespacedName]bool{}
	for name, is := range now {
		if before, there := m.there[name]; m.meddled[name] || there && !is.is(before) {
			out[name] = true
		}
	}
	return out
}

func entryNameOf(r *resource) types.NamespacedName {
	return types.NamespacedName{Namespace: r.object.GetNamespace(), Name: entryName(r.object.GetName())}
}

// renew has every entry looked at again, and written where it is not as it should be.
func (m *mesh) renew() {
	m.all = true
	m.forget()
}
