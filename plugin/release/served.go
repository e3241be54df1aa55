package release

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/plugin/release/admit"
)

// What Kubernetes' own types say of the time in which they are served: an API that
// was ever a beta has it, and whatever has not stays.
type (
	introduced interface{ APILifecycleIntroduced() (major, minor int) }
	gone       interface{ APILifecycleRemoved() (major, minor int) }
	replaced   interface {
		APILifecycleReplacement() schema.GroupVersionKind
	}
)

// served refuses a kind that the given version of Kubernetes does not serve any
// more, or not yet.
func (c *check) served(n *source.Node, apiVersion, kind string) (faults.Fault, bool) {
	o, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(apiVersion, kind))
	if err != nil {
		return faults.Fault{}, true
	}
	is := "is served only from"
	major, minor := 0, 0
	if of, ok := o.(introduced); ok {
		major, minor = of.APILifecycleIntroduced()
	}
	switch of, ends := o.(gone); {
	case c.kube.LessThan(minorOf(major, minor)):
	case ends && !c.kube.LessThan(minorOf(of.APILifecycleRemoved())):
		is = "is no longer served from"
		major, minor = of.APILifecycleRemoved()
	default:
		return faults.Fault{}, true
	}
	f := n.Pos.Fault(faults.NotServed, fmt.Sprintf("%s %s %s Kubernetes %d.%d on", apiVersion, kind, is, major, minor))
	f.Object, f.Field, f.Found = c.object.Title(), "apiVersion", "Kubernetes "+c.kube.String()
	if to := c.instead(o, kind); to != "" {
		f.Fix = "write apiVersion: " + to
	}
	return f, false
}

// instead names the version of the API that took the place of another and is served,
// empty where none is.
func (c *check) instead(o runtime.Object, kind string) string {
	for range 10 { // no type leads in a circle, and none further
		of, ok := o.(replaced)
		if !ok {
			return ""
		}
		to := of.APILifecycleReplacement()
		next, err := scheme.Scheme.New(to)
		if err != nil || to.Kind != kind {
			return ""
		}
		if of, ends := next.(gone); !ends || c.kube.LessThan(minorOf(of.APILifecycleRemoved())) {
			return to.GroupVersion().String()
		}
		o = next
	}
	return ""
}

func minorOf(major, minor int) *version.Version { return version.MajorMinor(uint(major), uint(minor)) }

// newer is true where the API server judges as admit.Newer does.
func (c *check) newer() bool { return c.kube.AtLeast(version.MustParseGeneric(admit.Newer)) }
