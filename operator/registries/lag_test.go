package registries

import (
	"fmt"
	"maps"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/types"
)

// sharing is a mesh with an entry for each of many tenants' providers of one host, as they
// should be, made one second after the other.
func sharing(many int) (m *mesh, all []*resource) {
	var of []string
	for n := range many {
		of = append(of, fmt.Sprintf("t%03d https://models.example.com", n))
	}
	m, all = &mesh{only: true}, providers(of...)
	m.there = map[types.NamespacedName]entry{}
	m.open(all)
	for n, r := range all {
		is := m.wanted(r)
		is.made = int64(1000 - n) // the last one is the oldest
		m.there[entryNameOf(r)] = is
	}
	return m, all
}

func (m *mesh) wanted(r *resource) entry {
	return entryOf(m.entry(r.object.(*v1alpha1.ModelProvider), r.tenant))
}

// dues are the places of those that are written in a pass.
func (m *mesh) dues(all []*resource) (due []int) {
	m.open(all)
	wants := m.wants(all)
	first := m.first(all, wants)
	for n, r := range all {
		if want, stays := wants[entryNameOf(r)]; stays && m.due(r, want, first) {
			due = append(due, n)
		}
	}
	return due
}

// R51: whoever opens another port of a host that all tenants use has the entry written by
// which Istio goes, and his own; the others follow in the next full pass.
func TestAPortOfAHostWritesFewEntries(t *testing.T) {
	const many = 500
	for name, c := range map[string]struct {
		change func(m *mesh, all []*resource)
		want   string
	}{
		"nothing":         {func(*mesh, []*resource) {}, "[]"},
		"another port":    {func(_ *mesh, all []*resource) { moves(all[7], ":8443") }, "[7 499]"},
		"of the oldest":   {func(_ *mesh, all []*resource) { moves(all[499], ":8443") }, "[499]"},
		"another host":    {func(_ *mesh, all []*resource) { moves(all[7], ".other") }, "[7]"},
		"the oldest goes": {func(_ *mesh, all []*resource) { moves(all[7], ":8443"); all[499].verdict.Status = "False" }, "[7 498]"},
		"as old as that":  {func(m *mesh, all []*resource) { moves(all[7], ":8443"); m.age(all[3], 501) }, "[3 7]"},
		"all as old": {func(m *mesh, all []*resource) {
			moves(all[7], ":8443")
			for _, r := range all {
				m.age(r, 501)
			}
		}, "[0 7]"},
		"the oldest is of another host still": {func(m *mesh, all []*resource) {
			moves(all[7], ":8443")
			is := m.there[entryNameOf(all[499])]
			is.rest = entry{}.rest
			m.there[entryNameOf(all[499])] = is
		}, "[7 498 499]"},
		"one that could not be written": {func(m *mesh, all []*resource) {
			moves(all[7], ":8443")
			p := all[7].object.(*v1alpha1.ModelProvider)
			p.Status.ObservedGeneration = p.Generation
			m.wrong = map[types.NamespacedName]bool{entryNameOf(all[7]): true}
		}, "[7 499]"},
		"one is not there": {func(m *mesh, all []*resource) { delete(m.there, entryNameOf(all[3])) }, "[3]"},
		"somebody changed one": {func(m *mesh, all []*resource) {
			now := maps.Clone(m.there)
			now[entryNameOf(all[3])] = entry{rest: now[entryNameOf(all[3])].rest, made: 997}
			m.wrong = m.moved(now)
			m.there = now
		}, "[3]"},
	} {
		m, all := sharing(many)
		c.change(m, all)
		if got := fmt.Sprint(m.dues(all)); got != c.want {
			t.Errorf("%s: %s are written, want %s", name, got, c.want)
		}
	}
	m, all := sharing(many)
	moves(all[7], ":8443")
	if m.renew(); len(m.dues(all)) != many {
		t.Errorf("a full pass writes %d of %d", len(m.dues(all)), many)
	}
}

func moves(r *resource, to string) {
	p := r.object.(*v1alpha1.ModelProvider)
	p.Spec.Endpoint += to
	p.Generation++
}

func (m *mesh) age(r *resource, made int64) {
	is := m.there[entryNameOf(r)]
	is.made = made
	m.there[entryNameOf(r)] = is
}

// R51: what was found changed stays so until it is put right or gone, and nothing is kept
// of what is not there.
func TestWhatSomebodyChangedIsNotForgotten(t *testing.T) {
	m, all := sharing(3)
	name, gone := entryNameOf(all[0]), types.NamespacedName{Name: "gone"}
	m.wrong = map[types.NamespacedName]bool{name: true, gone: true}
	if m.wrong = m.moved(m.there); !m.wrong[name] || len(m.wrong) != 1 {
		t.Errorf("%v", m.wrong)
	}
	if m.versions = map[types.NamespacedName]string{}; len(m.dues(all)) != 0 {
		t.Error("one that is as it should be is written")
	}
	m.took(name, m.entry(all[0].object.(*v1alpha1.ModelProvider), "t000"))
	if len(m.wrong) != 0 {
		t.Errorf("%v", m.wrong)
	}
}
