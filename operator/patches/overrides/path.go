package overrides

import (
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// step is one level of a patch: a field's or map's key, or an item of a list
// with what tells it from the others.
type step struct {
	name string
	keys []source.Field
}

// path reads the last part of a variable's name from the root of a kind. Its
// segments stand apart by "__", or it is one dotted path.
type path struct {
	rest   string
	dotted bool
	shouts bool // the last field was written in capitals, NODE_SELECTOR

	steps []step
	at    fields.Path
	f     *fields.Field // what at is; its keys tell the items of a list apart
	built any           // what kora builds there, nil where nothing
}

func newPath(text string, k *kind) *path {
	p := &path{rest: text, f: &fields.Field{Type: k.t}, built: k.built}
	i := strings.IndexAny(text, ".[")
	p.dotted = i >= 0 && !strings.Contains(text[:i], separator)
	return p
}

// read walks to the field that the path names.
func (p *path) read() *refusal {
	for p.rest != "" {
		if r := p.step(); r != nil {
			return r
		}
	}
	return nil
}

func (p *path) step() *refusal {
	switch p.f.Type.Kind {
	case fields.Object:
		return p.field()
	case fields.Map:
		return p.key()
	case fields.List:
		return p.item()
	case fields.Any:
		return refuse("what %s may hold is not known", p.at)
	}
	return refuse("%s is %s, with no field in it", p.at, p.f.Type)
}

// field matches exactly, else without regard to case and underscores where
// that leaves one field: names of variables are often in capitals.
func (p *path) field() *refusal {
	name, _, r := p.segment(separator, ".")
	if r != nil {
		return r
	}
	f := p.f.Type.Field(name)
	p.shouts = f == nil && strings.ToUpper(name) == name
	if f == nil {
		f = foldedField(name, p.f.Type)
	}
	if f == nil {
		return p.unknown(name)
	}
	p.into(step{name: f.Name}, p.at.Child(f.Name), f, member(p.built, f.Name))
	return nil
}

func (p *path) into(s step, at fields.Path, f *fields.Field, built any) {
	p.steps = append(p.steps, s)
	p.at, p.f, p.built = at, f, built
}

func foldedField(name string, t *fields.Type) *fields.Field {
	var found *fields.Field
	for _, f := range t.Fields {
		if folded(f.Name) == folded(name) {
			if found != nil {
				return nil
			}
			found = f
		}
	}
	return found
}

func (p *path) unknown(name string) *refusal {
	r := refuse("%s has no field %q", p.f.Type.Name, shown(name))
	if near := fields.Nearest(folded(name), p.f.Type.Names()); near != "" {
		return r.fixed("did you mean %q?", near)
	}
	return r
}

func member(v any, name string) any {
	m, _ := v.(map[string]any)
	return m[name]
}
