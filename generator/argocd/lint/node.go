package lint

import (
	"strconv"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

const waveKey = "argocd.argoproj.io/sync-wave"

func newApp(f file, doc, holder *source.Node) *app {
	a := &app{at: f.at, root: holder, meta: holder.Get("metadata"), spec: holder.Get("spec")}
	if doc != holder { // of an ApplicationSet
		a.root = doc
	}
	if w := a.meta.Get("annotations").Get(waveKey); w != nil {
		n, err := strconv.Atoi(w.Value)
		a.wave, a.waved = n, err == nil
	}
	return a
}

func (a *app) name() string { return "Application " + text(a.meta, "name") }

// sources are those of the Application, in either form.
func (a *app) sources() []*source.Node {
	if list := a.spec.Get("sources"); list != nil && len(list.Items) > 0 {
		return list.Items
	}
	if one := a.spec.Get("source"); one != nil {
		return []*source.Node{one}
	}
	return nil
}

func (a *app) policy() *source.Node { return a.spec.Get("syncPolicy") }

// has reports whether a sync option stands there, with its place.
func (a *app) has(option string) *source.Node {
	list := a.policy().Get("syncOptions")
	if list == nil {
		return nil
	}
	for _, item := range list.Items {
		if item.Value == option {
			return item
		}
	}
	return nil
}

// fault is one at a node of the Application.
func (a *app) fault(at *source.Node, code faults.Code, field, message string) faults.Fault {
	f := at.Pos.Fault(code, message)
	f.Object, f.Field = a.name(), field
	return f
}

// key is the node of a key, which says better than its value where a map is.
func key(n *source.Node, name string) *source.Node {
	if f := n.Field(name); f != nil {
		return f.Key
	}
	return n
}

func text(n *source.Node, name string) string {
	if v := n.Get(name); v != nil && v.Kind == source.Scalar {
		return v.Value
	}
	return ""
}

func items(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// option reports whether one of the options stands in a list with commas.
func option(list string, wanted ...string) bool {
	for each := range strings.SplitSeq(list, ",") {
		for _, w := range wanted {
			if strings.TrimSpace(each) == w {
				return true
			}
		}
	}
	return false
}
