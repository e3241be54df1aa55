package registries

import (
	"cmp"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/types"
)

// first are the entries by which Istio goes, one for each host: of those that are there for
// it and stay the one that was made first, and of one second the first by name and then
// namespace, as Istio sorts them.
func (m *mesh) first(providers []*resource, wants map[types.NamespacedName]entry) map[string]types.NamespacedName {
	out := map[string]types.NamespacedName{}
	for _, r := range providers {
		name := entryNameOf(r)
		want, stays := wants[name]
		if is, there := m.there[name]; !stays || !there || is.rest != want.rest {
			continue
		}
		host, _ := endpoint(r.object.(*v1alpha1.ModelProvider))
		if before, known := out[host]; !known || m.older(name, before) {
			out[host] = name
		}
	}
	return out
}

func (m *mesh) older(a, b types.NamespacedName) bool {
	return cmp.Or(cmp.Compare(m.there[a].made, m.there[b].made), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Namespace, b.Namespace)) < 0
}

// due reports whether an entry is to be written in this pass. One whose ports alone are
// those of before has time until the next full pass, unless Istio goes by it, as the oldest
// of its host, or it is not as the operator left it, or could not be written: whoever opens and closes ports of a
// host that all tenants use has a few entries written each time, and not everybody's (R51).
func (m *mesh) due(r *resource, want entry, first map[string]types.NamespacedName) bool {
	name, p := entryNameOf(r), r.object.(*v1alpha1.ModelProvider)
	is, there := m.there[name]
	switch {
	case there && is.is(want):
		return false
	case !there || is.rest != want.rest || m.all || m.wrong[name]:
		return true
	}
	host, _ := endpoint(p)
	return name == first[host] || p.Status.ObservedGeneration != p.Generation
}

// moved are those of the entries listed now that are not as they were seen last, and those
// that were wrong before and were not put right yet.
func (m *mesh) moved(now map[types.NamespacedName]entry) map[types.NamespacedName]bool {
	out := map[types.NamespacedName]bool{}
	for name, is := range now {
		if before, there := m.there[name]; m.wrong[name] || there && !is.is(before) {
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
