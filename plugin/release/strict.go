package release

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/operator/api/v1alpha1"
)

// own knows kora's own kinds. Kubernetes' are in the scheme that Helm's engine
// brings along anyway.
var own = sync.OnceValue(func() *runtime.Scheme {
	s := runtime.NewScheme()
	_ = v1alpha1.AddToScheme(s) // adds constants, and a test renders each kind
	return s
})

// check compares every object strictly with the type of its kind (R19). Kinds
// that no type is at hand for are listed.
func (p *pass) check() {
	kube, err := version.ParseGeneric(p.request.KubeVersion)
	if err != nil {
		return // Helm has refused it
	}
	checks := make([]check, len(p.out.Objects))
	each(len(checks), func(i int) {
		c := &checks[i]
		c.object, c.kube = p.out.Objects[i], kube
		c.compare(c.object.Node)
	})
	unchecked := map[string]bool{}
	for _, c := range checks {
		for _, f := range c.found {
			p.add(p.rendered(f, c.object))
		}
		for _, kind := range c.unchecked {
			unchecked[kind] = true
		}
	}
	p.out.Unchecked = slices.Sorted(maps.Keys(unchecked))
}

// check is that of one object.
type check struct {
	object    *Object
	kube      *version.Version
	found     faults.List
	unchecked []string
}

func (c *check) compare(n *source.Node) {
	if items := n.Get("items"); isList(c.object) && items != nil && n == c.object.Node {
		for _, item := range items.Items {
			c.compare(item)
		}
		return
	}
	apiVersion, kind := textAt(n, "apiVersion"), textAt(n, "kind")
	t, known := typeOf(apiVersion, kind)
	switch {
	case known:
		if f, ok := c.served(n, apiVersion, kind); !ok {
			c.found = append(c.found, f)
			return
		}
		if found := fields.Check(n, t, ""); len(found) > 0 {
			c.found = append(c.found, named(found, c.object)...)
			return
		}
	case ours(apiVersion):
		c.found = append(c.found, unserved(n, apiVersion, kind, c.object))
		return
	default:
		c.unchecked = append(c.unchecked, apiVersion+" "+kind)
	}
	c.sound(n)
}

func unserved(n *source.Node, version, kind string, o *Object) faults.Fault {
	f := n.Pos.Fault(faults.UnknownField, fmt.Sprintf("%s %s is not served by Kubernetes or kora", version, kind))
	f.Object, f.Field, f.Found = o.Title(), "kind", version+" "+kind
	f.Fix = "correct apiVersion or kind"
	if other := otherVersion(version, kind); other != "" {
		f.Fix = "write apiVersion: " + other
	} else if near := fields.Nearest(kind, kinds(version)); near != "" {
		f.Fix = fmt.Sprintf("did you mean %q?", near)
	}
	return f
}

func named(found faults.List, o *Object) faults.List {
	for i := range found {
		found[i].Object = o.Title()
	}
	return found
}

// typeOf is the type of a kind, if there is one at hand.
func typeOf(version, kind string) (*fields.Type, bool) {
	gvk := schema.FromAPIVersionAndKind(version, kind)
	for _, s := range []*runtime.Scheme{scheme.Scheme, own()} {
		if o, err := s.New(gvk); err == nil {
			return fields.Of(o), true
		}
	}
	return nil, false
}

// ours is true of an apiVersion whose group has types at hand: a kind that is not
// among them does not exist.
func ours(version string) bool {
	gv, err := schema.ParseGroupVersion(version)
	return err == nil && (scheme.Scheme.IsGroupRegistered(gv.Group) || own().IsGroupRegistered(gv.Group))
}

// otherVersion is the first version of a group that has a kind, empty where none has.
func otherVersion(version, kind string) string {
	gv, _ := schema.ParseGroupVersion(version)
	for _, s := range []*runtime.Scheme{scheme.Scheme, own()} {
		for _, each := range s.PrioritizedVersionsForGroup(gv.Group) {
			if s.Recognizes(each.WithKind(kind)) {
				return each.String()
			}
		}
	}
	return ""
}

func kinds(version string) []string {
	gv, _ := schema.ParseGroupVersion(version)
	all := maps.Clone(scheme.Scheme.KnownTypes(gv))
	maps.Copy(all, own().KnownTypes(gv))
	return slices.Sorted(maps.Keys(all))
}
