package registries

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// watched are the Services on which a verdict of the last pass rests, whether they are
// there or not. Before the first pass there are none, and it looks for all.
type watched struct {
	names atomic.Pointer[map[types.NamespacedName]bool]
}

// has reports whether a verdict rests on a Service.
func (w *watched) has(o client.Object) bool {
	names := w.names.Load()
	return names != nil && (*names)[client.ObjectKeyFromObject(o)]
}

// find reads the Services that sets of tools name, and those by which a host would be
// found, from the index of each namespace that may have one. They are watched before
// they are read: what comes in between wakes the next pass.
func (s *snapshot) find(ctx context.Context, c client.Reader, w *watched) error {
	names, namespaces := s.named(), map[string]bool{}
	w.names.Store(&names)
	for name := range names {
		namespaces[name.Namespace] = true
	}
	s.services = map[types.NamespacedName]*corev1.Service{}
	for namespace := range namespaces {
		list := &corev1.ServiceList{}
		if err := c.List(ctx, list, client.InNamespace(namespace), client.UnsafeDisableDeepCopy); err != nil {
			return err
		}
		for i := range list.Items {
			if name := client.ObjectKeyFromObject(&list.Items[i]); names[name] {
				s.services[name] = &list.Items[i]
			}
		}
	}
	return nil
}

// named are the Services on which the verdicts of a pass rest.
func (s *snapshot) named() map[types.NamespacedName]bool {
	names := map[types.NamespacedName]bool{}
	for _, kind := range kinds {
		for _, r := range s.resources[kind] {
			if name, is := serviceOf(r.object); is {
				names[name] = true
			}
			for _, g := range r.guesses {
				for _, name := range g.services {
					names[name] = true
				}
			}
		}
	}
	return names
}

// serviceOf is the Service that a resource names, if it names one.
func serviceOf(o v1alpha1.Object) (types.NamespacedName, bool) {
	server, is := o.(*v1alpha1.MCPServer)
	if !is || server.Spec.ServiceRef == nil {
		return types.NamespacedName{}, false
	}
	return types.NamespacedName{Namespace: server.Namespace, Name: server.Spec.ServiceRef.Name}, true
}

// judgeService gives the fault of the Service that a set of tools names (R51), nil
// where there is none. It must lead to pods of its own namespace: one that is a name
// for another host, or whose endpoints others write, leads wherever they like, another
// tenant's Services too.
func (s *snapshot) judgeService(server *v1alpha1.MCPServer) *finding {
	name, is := serviceOf(server)
	if !is {
		return nil
	}
	bad := func(reason, format string, args ...any) *finding {
		return &finding{verdict: status.Bad(reason, "spec.serviceRef."+format, args...), waiting: true}
	}
	service, ref := s.services[name], server.Spec.ServiceRef
	switch {
	case service == nil:
		return bad(v1alpha1.ReasonReferenceNotFound, "name: there is no Service %q in this namespace, and Services of other namespaces are never named: create it here, or correct the name", ref.Name)
	case service.Spec.Type == corev1.ServiceTypeExternalName:
		return bad(v1alpha1.ReasonInvalid, "name: the Service %q is of type ExternalName, which is a name for another host and no server of this namespace: name a Service with a selector, or use url for a server outside the cluster", ref.Name)
	case len(service.Spec.Selector) == 0:
		return bad(v1alpha1.ReasonInvalid, "name: the Service %q has no selector, so that its endpoints may be anywhere: give it one that selects pods of this namespace, or use url for a server outside the cluster", ref.Name)
	case !serves(service, ref.Port):
		return bad(v1alpha1.ReasonReferenceNotFound, "port: the Service %q has no TCP port %d, it has %s: name one of these, or add the port to the Service", ref.Name, ref.Port, portsOf(service))
	}
	return nil
}

// serves reports whether TCP is served on a port.
func serves(service *corev1.Service, port int32) bool {
	return slices.ContainsFunc(service.Spec.Ports, func(p corev1.ServicePort) bool {
		return p.Port == port && (p.Protocol == corev1.ProtocolTCP || p.Protocol == "")
	})
}

// portsOf lists a few ports for a sentence.
func portsOf(service *corev1.Service) string {
	const most = 8
	var all []string
	for _, p := range service.Spec.Ports[:min(most, len(service.Spec.Ports))] {
		all = append(all, fmt.Sprintf("%d/%s", p.Port, p.Protocol))
	}
	if all == nil {
		return "none"
	}
	return strings.Join(all, ", ")
}

// ofServices are the changes that a verdict may rest on: there are many others, and each
// pass looks at everything.
func (r *Reconciler) ofServices() predicate.Predicate {
	return predicate.And(predicate.NewPredicateFuncs(r.watched.has), predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		before, is := e.ObjectOld.(*corev1.Service)
		after, are := e.ObjectNew.(*corev1.Service)
		return !is || !are || !equality.Semantic.DeepEqual(before.Spec, after.Spec)
	}})
}
