package lint

import (
	"fmt"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// words are plain words such as on and no where Argo CD's type has a text, as a
// value or as a map's key: by YAML 1.1 they are booleans, which the API server
// refuses, or, as keys, writes as true and false (R44). Values of charts, which
// have no type, are left alone.
func (a *app) words() faults.List {
	w := &worder{app: a}
	t := fields.Of(argo.Application{})
	w.value(a.meta, t.Field("metadata").Type, "metadata")
	w.value(a.spec, t.Field("spec").Type, "spec")
	return w.found
}

type worder struct {
	app   *app
	found faults.List
}

func (w *worder) value(n *source.Node, t *fields.Type, at fields.Path) {
	switch {
	case n == nil:
	case t.Kind == fields.Object:
		for _, f := range n.Fields {
			if of := t.Field(f.Key.Value); of != nil {
				w.value(f.Value, of.Type, at.Child(of.Name))
			}
		}
	case t.Kind == fields.Map:
		for _, f := range n.Fields {
			w.word(f.Key, at)
			w.value(f.Value, t.Elem, at.Child(f.Key.Value))
		}
	case t.Kind == fields.List:
		for i, item := range n.Items {
			w.value(item, t.Elem, at.Index(i))
		}
	case t.Kind == fields.String:
		w.word(n, at)
	}
}

func (w *worder) word(n *source.Node, at fields.Path) {
	if !n.AmbiguousBool() {
		return
	}
	f := w.app.fault(n, faults.AmbiguousBool, string(at), fmt.Sprintf("the plain word %s is a boolean to Argo CD and kubectl, where a text belongs", n.Value))
	f.Found, f.Expected, f.Fix = n.Value, "a text in quotes", fmt.Sprintf("write %q", n.Value)
	w.found = append(w.found, f)
}
