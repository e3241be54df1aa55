package registries

import (
	"fmt"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	"k8s.io/apimachinery/pkg/types"
)

// A host that looks public may be one of the cluster's own. The services that call it
// run in the system namespace, and their resolver first completes a name of fewer than
// five dots with the search domains <system>.svc.cluster.local, svc.cluster.local and
// cluster.local: "db.dev" may be the Service db of the namespace dev, "x.db.dev" a pod
// behind it, and "x.db" a pod behind the system namespace's Service db. A single label,
// and what ends in ".svc", the rules refuse, and a longer name nothing has. So the
// namespaces that matter are the system's and those that are called as a top-level domain
// is. No tenant's is: a Service there is found by the tenant's own pods alone.

// host is one that an entry has the services reach.
type host struct {
	name, field string
	item        int // of a list, from 1
}

func (h host) String() string {
	if h.item > 0 {
		return fmt.Sprintf("%s[%d]: %.128q", h.field, h.item-1, h.name)
	}
	return fmt.Sprintf("%s: %.128q", h.field, h.name)
}

// hostsOf are the hosts of a resource, in every field that has one. To an OAuthClient's
// go people's browsers, and none of kora's services.
func hostsOf(o v1alpha1.Object) []host {
	switch o := o.(type) {
	case *v1alpha1.Connection:
		all := make([]host, 0, len(o.Spec.Hosts)+1)
		for i, h := range o.Spec.Hosts {
			all = append(all, host{string(h), "spec.hosts", i + 1})
		}
		return append(all, host{name: rules.HostOf(o.Spec.Authentication.TokenURL), field: "spec.authentication.tokenURL"})
	case *v1alpha1.MCPServer:
		return []host{{name: rules.HostOf(o.Spec.URL), field: "spec.url"}}
	case *v1alpha1.ModelProvider:
		return []host{{name: rules.HostOf(o.Spec.Endpoint), field: "spec.endpoint"}}
	}
	return nil
}

// inside gives the Services by which a resolver of the system namespace would find a
// host, or one that a wildcard stands for, in the order of its search domains. A wildcard
// before a top-level domain the rules refuse.
func inside(name, system string) []types.NamespacedName {
	switch labels := strings.Split(name, "."); len(labels) {
	case 2:
		return []types.NamespacedName{{Namespace: system, Name: labels[1]}, {Namespace: labels[1], Name: labels[0]}}
	case 3:
		return []types.NamespacedName{{Namespace: labels[2], Name: labels[1]}}
	}
	return nil
}

// guess is a host by which a resolver of the system namespace may find Services.
type guess struct {
	host
	services []types.NamespacedName
}

// guessesOf are those of a resource: of most there is none.
func guessesOf(o v1alpha1.Object, system string) (all []guess) {
	for _, h := range hostsOf(o) {
		if services := inside(h.name, system); services != nil {
			all = append(all, guess{h, services})
		}
	}
	return all
}

// judgeHosts gives the fault of a host that would be found in the cluster (R51), nil
// where there is none. It comes right with the Service, which is watched.
func (s *snapshot) judgeHosts(guesses []guess) *finding {
	for _, g := range guesses {
		for _, name := range g.services {
			if s.services[name] != nil {
				return &finding{verdict: status.Bad(v1alpha1.ReasonInvalid,
					"%s is found in the cluster before it is outside: a resolver completes it to the Service %q of the namespace %q, or to a pod behind it, and the credentials would go there; call that Service or its namespace otherwise, or name another host: this comes right by itself when the Service is gone",
					g.host, name.Name, name.Namespace)}
			}
		}
	}
	return nil
}
