package registries

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/pages"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// serviceEntryKind is Istio's, by which the mesh lets traffic out (R26).
var serviceEntryKind = schema.GroupVersionKind{Group: "networking.istio.io", Version: "v1", Kind: "ServiceEntry"}

// LabelProvider names the ModelProvider whose ServiceEntry it is.
const LabelProvider = "runkora.io/model-provider"

// mesh keeps a ServiceEntry for each model provider of the registry. It lives
// beside its provider and is seen by the system namespace alone: agents reach
// models through kora.
type mesh struct {
	client client.Client // unstructured objects are read past the caches
	system string
	only   bool             // REGISTRY_ONLY
	ports  map[string][]int // of the hosts of providers, in this pass
	// there is what was last listed or written; nil is not known.
	there map[types.NamespacedName]entry
	wrong map[types.NamespacedName]bool // somebody else has changed it, or it could not be written, and it is not put right yet
	all   bool                          // those that only lag are written too, in this pass
	// versions are the resourceVersions of what is there, for the watch to compare.
	mu       sync.Mutex
	versions map[types.NamespacedName]string
	stale    bool // somebody else has changed one
}

// keep makes the entries of all providers that are in the registry as they should
// be, and removes the operator's others. A provider whose entry cannot be written
// is found wrong. The error is of what concerns no one provider, and of deletions:
// it asks for another pass and stops nothing in this one.
func (m *mesh) keep(ctx context.Context, s *snapshot) error {
	providers := s.resources[kindModelProvider]
	if err := m.list(ctx); err != nil {
		for _, r := range providers {
			m.unlisted(r)
		}
		return err
	}
	m.open(providers)
	wants := m.wants(providers)
	first := m.first(providers, wants)
	var changed []*resource
	for _, r := range providers {
		want, wanted := wants[entryNameOf(r)]
		if !wanted {
			continue
		}
		r.mesh = entryName(r.object.GetName())
		if m.due(r, want, first) {
			changed = append(changed, r)
		}
	}
	faults := make([]error, len(changed))
	written := make([]*unstructured.Unstructured, len(changed))
	each(len(changed), func(i int) { written[i], faults[i] = m.write(ctx, changed[i]) })
	m.all = false
	for i, r := range changed {
		m.note(r, written[i], faults[i])
	}
	return m.sweep(ctx, wants, s.homes)
}

// wants are the entries that there should be.
func (m *mesh) wants(providers []*resource) map[types.NamespacedName]entry {
	out := map[types.NamespacedName]entry{}
	for _, r := range providers {
		if m.only && r.verdict.True() {
			out[entryNameOf(r)] = entryOf(m.entry(r.object.(*v1alpha1.ModelProvider), r.tenant))
		}
	}
	return out
}

// unlisted is for a provider whose entry cannot be looked at: one that had it, as its spec
// stands, is as it was, and one that has none is not out of the mesh yet.
func (m *mesh) unlisted(r *resource) {
	p := r.object.(*v1alpha1.ModelProvider)
	if !m.only || !r.verdict.True() || p.Status.ServiceEntry != "" && p.Status.ObservedGeneration == p.Generation {
		r.mesh = p.Status.ServiceEntry
		return
	}
	r.finding = finding{waiting: true, verdict: status.Bad(v1alpha1.ReasonFailed,
		ofEntry+"whether there is the ServiceEntry %s, without which the mesh lets no call out, could not be asked: the operator tries again by itself", entryName(p.Name))}
}

// list asks once, and again when forget was called.
func (m *mesh) list(ctx context.Context) error {
	if m.known() {
		return nil
	}
	there, versions := map[types.NamespacedName]entry{}, map[types.NamespacedName]string{}
	for o, err := range m.labelled(ctx, client.Limit(entriesAtOnce)) {
		if meta.IsNoMatchError(err) || apierrors.IsNotFound(err) {
			break
		}
		if err != nil {
			return fmt.Errorf("list ServiceEntries: %w", err)
		}
		if maybeOwn(o) {
			name := client.ObjectKeyFromObject(o)
			there[name], versions[name] = entryOf(o.(*unstructured.Unstructured)), o.GetResourceVersion()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.there, m.versions, m.wrong = there, versions, m.moved(there)
	return nil
}

// ofEntry is what a provider's status begins with when it is for want of its entry.
const ofEntry = "status.serviceEntry: "

var errForeign = errors.New("it is not the operator's")

// note keeps what was written, or finds the provider wrong and out of the registry.
func (m *mesh) note(r *resource, written *unstructured.Unstructured, err error) {
	if err == nil {
		m.took(client.ObjectKeyFromObject(written), written)
		return
	}
	m.wrong[entryNameOf(r)] = true // due until it is written
	name := entryName(r.object.GetName())
	reason, why := v1alpha1.ReasonFailed, "the API server refused it: the operator tries again by itself"
	switch {
	case err == errForeign:
		reason, why = v1alpha1.ReasonConflict, "this namespace has one that is not the operator's, and it is left alone: delete it, and the operator makes its own"
	case meta.IsNoMatchError(err):
		why = "the cluster does not serve networking.istio.io/v1: install Istio, or set istio.outboundTrafficPolicy to ALLOW_ANY"
	}
	r.finding = finding{waiting: true, verdict: status.Bad(reason, ofEntry+"the ServiceEntry %s, without which the mesh lets no call out, could not be written, %s", name, why)}
}

// maybeOwn reports whether a ServiceEntry has the operator's label and is where the
// operator makes any: whoever may make one elsewhere can label it as they like.
func maybeOwn(o client.Object) bool {
	return o.GetLabels()[LabelProvider] != "" && rules.MayBeTenants(o.GetNamespace())
}

// sweep deletes the operator's entries that nothing wants any more, in the namespaces
// of tenants that stay: elsewhere it has no right to, and a tenant that leaves takes
// its own along (see leave).
func (m *mesh) sweep(ctx context.Context, wanted map[types.NamespacedName]entry, homes map[string]string) error {
	var failed []error
	var gone []types.NamespacedName
	for name := range m.there {
		if _, stays := wanted[name]; stays || homes[name.Namespace] == "" {
			continue
		}
		is := &unstructured.Unstructured{}
		is.SetGroupVersionKind(serviceEntryKind)
		is.SetNamespace(name.Namespace)
		is.SetName(name.Name)
		if err := m.client.Delete(ctx, is); client.IgnoreNotFound(err) != nil {
			failed = append(failed, fmt.Errorf("delete ServiceEntry %s: %w", name, err))
			continue
		}
		gone = append(gone, name)
	}
	for _, name := range gone {
		m.took(name, nil)
	}
	return errors.Join(failed...)
}

// entriesAtOnce is how many entries are read at once where it is those of all tenants: there are
// thousands, and fewer people may write them than the rest of a namespace.
const entriesAtOnce = 64

// labelled are the entries with the operator's labels, as the API server has them.
func (m *mesh) labelled(ctx context.Context, options ...client.ListOption) iter.Seq2[client.Object, error] {
	all := &unstructured.UnstructuredList{}
	all.SetGroupVersionKind(serviceEntryKind.GroupVersion().WithKind("ServiceEntryList"))
	return pages.Of(ctx, m.client, all, append(options, client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.Operator}, client.HasLabels{LabelProvider})...)
}

// leave deletes the operator's entries of one namespace, whatever is known of them.
func (m *mesh) leave(ctx context.Context, namespace string) error {
	var failed []error
	for is, err := range m.labelled(ctx, client.InNamespace(namespace)) {
		if meta.IsNoMatchError(err) || apierrors.IsNotFound(err) {
			return nil
		}
		if err == nil {
			err = client.IgnoreNotFound(m.client.Delete(ctx, is))
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("delete the ServiceEntries of %s: %w", namespace, err))
			continue
		}
		m.took(client.ObjectKeyFromObject(is), nil)
	}
	return errors.Join(failed...)
}

func entryName(provider string) string { return "kora-model-" + provider }

// entry lets the mesh through to a provider's endpoint.
func (m *mesh) entry(p *v1alpha1.ModelProvider, tenant string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"exportTo":   []any{m.system},
		"hosts":      []any{rules.HostOf(p.Spec.Endpoint)},
		"location":   "MESH_EXTERNAL",
		"resolution": "DNS",
		"ports":      m.opened(p),
	}}}
	o.SetGroupVersionKind(serviceEntryKind)
	o.SetNamespace(p.Namespace)
	o.SetName(entryName(p.Name))
	o.SetLabels(map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora", v1alpha1.LabelTenant: tenant, LabelProvider: p.Name})
	yes := true
	o.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ModelProvider", Name: p.Name, UID: p.UID, Controller: &yes}})
	return o
}
