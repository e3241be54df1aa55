package overrides

import (
	"slices"
	"strings"

	"github.com/runkora/kora/internal/fields"
)

// key takes the rest of the path, since a label's key may hold whatever stands
// between segments otherwise. A map of more than texts takes one segment.
func (p *path) key() *refusal {
	elem := p.f.Type.Elem
	name, r := p.mapKey(elem)
	if r != nil {
		return r
	}
	if elem.Kind == fields.Quantity {
		name = resourceName(name)
	}
	if strings.HasPrefix(name, "$") {
		return refuse("a key that begins with $ is a directive to kustomize and no key")
	}
	if p.shouts && strings.ToUpper(name) == name && strings.ToLower(name) != name {
		return refuse("the name is in capitals, so the case of the key %q of %s is not known", shown(name), p.at).
			fixed("spell the key as it shall be, or " + byHand)
	}
	p.into(step{name: name}, p.at.Child(name), &fields.Field{Type: elem}, member(p.built, name))
	return nil
}

func (p *path) mapKey(elem *fields.Type) (string, *refusal) {
	switch {
	case strings.HasPrefix(p.rest, "["):
		name, _, r := p.segment()
		return name, r
	case slices.Contains([]fields.Kind{fields.Object, fields.Map, fields.List}, elem.Kind):
		name, _, r := p.segment(p.separator())
		return name, r
	}
	name := p.rest
	p.rest = ""
	return name, nil
}

// separator is the one that the path began with.
func (p *path) separator() string {
	if p.dotted {
		return "."
	}
	return separator
}

// resourceName spells the resources that Kubernetes itself knows; an extended
// one, such as nvidia.com/gpu, is as it is.
func resourceName(name string) string {
	for _, known := range []string{"cpu", "memory", "storage", "ephemeral-storage"} {
		if folded(name) == folded(known) {
			return known
		}
	}
	return name
}
