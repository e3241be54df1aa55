package registries

import (
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// finding is what a pass finds of one resource.
type finding struct {
	verdict    status.Verdict
	secretHash string
	entry      json.RawMessage // nil: left out of the registry
	mesh       string          // the ServiceEntry of a model provider
	waiting    bool            // a Secret, Connection or Service that it names may come
	pending    bool            // its Secret is read in the next pass: nothing is said of it yet
}

// needs are the Secrets that the resources of a pass name.
func (s *snapshot) needs() map[types.NamespacedName][]*need {
	want := map[types.NamespacedName][]*need{}
	for _, kind := range kinds {
		for _, r := range s.resources[kind] {
			if n := needOf(r.object); n != nil && r.tenant != "" && !held(r.object) {
				name := types.NamespacedName{Namespace: r.object.GetNamespace(), Name: n.secret}
				n.of = mark64(r.object)
				want[name] = append(want[name], n)
			}
		}
	}
	return want
}

// mark64 tells one resource, as its spec stands, from others.
func mark64(o v1alpha1.Object) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", o.GetUID(), o.GetGeneration())
	return h.Sum64()
}

// judge finds out about every resource, in the order of the kinds.
func (s *snapshot) judge(known *secrets) {
	s.connections = map[types.NamespacedName]*resource{}
	for _, kind := range kinds {
		for _, r := range s.resources[kind] {
			r.finding = s.judgeOne(r, known)
			if server, ok := r.object.(*v1alpha1.MCPServer); ok && r.verdict.True() {
				r.finding = judgeConnection(server, s.connections)
				if bad := s.judgeService(server); bad != nil {
					r.finding = *bad // it names no Connection
				}
			}
			if r.verdict.True() {
				if bad := s.judgeHosts(r.guesses); bad != nil {
					r.finding = *bad
				}
			}
			if kind == kindConnection {
				s.connections[nameOf(r.object)] = r
			}
			if r.verdict.True() {
				r.enter()
			}
		}
		bound(s.resources[kind], MaxTenant)
	}
}

// follow takes the sets of tools out whose Connection was found wrong since they were judged.
func (s *snapshot) follow() {
	for _, r := range s.resources[kindMCPServer] {
		if !r.verdict.True() || r.entry == nil {
			continue
		}
		if f := judgeConnection(r.object.(*v1alpha1.MCPServer), s.connections); !f.verdict.True() {
			r.finding = f
		}
	}
}

func (s *snapshot) judgeOne(r *resource, known *secrets) finding {
	bad := func(reason, format string, args ...any) finding {
		return finding{verdict: status.Bad(reason, format, args...)}
	}
	tenant := s.tenants[r.tenant]
	switch {
	case r.tenant == "":
		fault := s.homeless(r.object.GetNamespace())
		return bad(v1alpha1.ReasonInvalid, "%s: %s", fault.Field, fault.Detail)
	case held(r.object):
		return bad(v1alpha1.ReasonDeleting, "it is being deleted and has left the registry; metadata.finalizers hold the object until whoever put them there takes them off")
	case tenants.Leaving(tenant):
		return bad(v1alpha1.ReasonDeleting, "the KoraTenant %s is being deleted, and its resources have left the registries", r.tenant)
	case tenant.Spec.Suspended:
		return bad(v1alpha1.ReasonSuspended, "the tenant is suspended, and its resources are out of the registries until spec.suspended of the KoraTenant %s is false", r.tenant)
	}
	if faults := rules.Validate(r.object); len(faults) > 0 {
		return bad(v1alpha1.ReasonInvalid, "%s", rules.Message(faults))
	}
	n := needOf(r.object)
	if n == nil {
		return finding{verdict: r.good()}
	}
	f, read := known.known[types.NamespacedName{Namespace: r.object.GetNamespace(), Name: n.secret}]
	if !read {
		return finding{pending: true}
	}
	if fault := f.judge(n); fault != nil {
		return finding{verdict: *fault, waiting: true}
	}
	good := r.good()
	if since := f.stale(known.period); since != "" {
		good = status.Good("%s; its Secret %q could not be read since %s, and a new value is not seen: the operator tries again by itself", good.Message, n.secret, since)
	}
	return finding{verdict: good, secretHash: f.hash(known.key, n)}
}

// homeless is the fault of what is in no tenant's namespace.
func (s *snapshot) homeless(namespace string) *field.Error {
	if tenant, left := s.left[namespace]; left {
		return rules.Abandoned(namespace, tenant)
	}
	return rules.Homeless(namespace)
}

// judgeConnection judges a set of tools by the Connection that it names.
func judgeConnection(server *v1alpha1.MCPServer, connections map[types.NamespacedName]*resource) finding {
	const field = "spec.connectionRef.name"
	r := &resource{object: server}
	if server.Spec.ConnectionRef == nil {
		return finding{verdict: r.good()}
	}
	name := types.NamespacedName{Namespace: server.Namespace, Name: server.Spec.ConnectionRef.Name}
	connection := connections[name]
	bad := func(reason, format string, args ...any) finding {
		return finding{verdict: status.Bad(reason, format, args...), waiting: true}
	}
	switch {
	case connection == nil:
		return bad(v1alpha1.ReasonReferenceNotFound, "%s: there is no Connection %q in this namespace: create it here, or correct the name", field, name.Name)
	case connection.pending:
		return finding{pending: true}
	case !connection.verdict.True():
		return bad(v1alpha1.ReasonReferenceNotFound, "%s: the Connection %q is not ready, its own status says why: correct it, or name another", field, name.Name)
	}
	if faults := rules.ConnectionOf(server, connection.object.(*v1alpha1.Connection)); len(faults) > 0 {
		return bad(v1alpha1.ReasonInvalid, "%s", rules.Message(faults))
	}
	return finding{verdict: r.good()}
}

// good is the same whatever changes elsewhere, so that it is written once.
func (r *resource) good() status.Verdict {
	return status.Good("it is in the registry that the services read")
}

// enter makes the entry, or says that there can be none.
func (r *resource) enter() {
	text, err := json.Marshal(Entry{Tenant: r.tenant, Namespace: r.object.GetNamespace(), Name: r.object.GetName(), SecretHash: r.secretHash, Spec: rules.Spec(r.object)})
	if err != nil || len(text) > MaxShard-envelope {
		r.finding = finding{verdict: status.Bad(v1alpha1.ReasonInvalid, "spec: it is larger than a registry's object may be, %d bytes: make several of it", MaxShard)}
		return
	}
	r.entry = text
}
