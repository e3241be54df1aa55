package registries

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// watch lets a pass put right at once what somebody does to a ServiceEntry of the
// operator's. The metadata of all in the cluster is kept, and nothing else of them:
// a cache for those of the label alone would need the kind to be there. A cluster without Istio has none, and a
// watch of a kind that is not served would keep the controller from starting: one
// that gets Istio later is looked at in each sync period, until the operator starts
// again.
func (m *mesh) watch(mgr ctrl.Manager, b *builder.Builder, pause func() time.Duration) error {
	if !m.only {
		return nil
	}
	_, err := mgr.GetRESTMapper().RESTMapping(serviceEntryKind.GroupKind(), serviceEntryKind.Version)
	if meta.IsNoMatchError(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("whether the cluster has ServiceEntries: %w", err)
	}
	entries := &metav1.PartialObjectMetadata{}
	entries.SetGroupVersionKind(serviceEntryKind)
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	own := func(o client.Object) bool { return o.GetLabels()[LabelProvider] != "" }
	told := func(own bool, o client.Object, version string, q queue) {
		if own && m.changed(client.ObjectKeyFromObject(o), version) {
			q.AddAfter(pass, pause())
		}
	}
	b.WatchesMetadata(entries, handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q queue) {
			told(own(e.Object), e.Object, e.Object.GetResourceVersion(), q)
		},
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q queue) {
			told(own(e.ObjectOld) || own(e.ObjectNew), e.ObjectNew, e.ObjectNew.GetResourceVersion(), q)
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q queue) { told(own(e.Object), e.Object, "", q) },
	})
	return nil
}

// changed is told of each event of a ServiceEntry of the operator's, version empty
// for one that is gone, and reports whether it is somebody else's doing: then all are
// listed again. An event that comes before the answer to the operator's own write
// counts as such, and costs one list.
func (m *mesh) changed(name types.NamespacedName, version string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.versions[name] == version {
		return false
	}
	m.stale = true
	return true
}

// took notes what is there now; version empty is that it is gone.
func (m *mesh) took(name types.NamespacedName, o *unstructured.Unstructured) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o == nil {
		delete(m.there, name)
		delete(m.versions, name)
		return
	}
	m.there[name], m.versions[name] = o, o.GetResourceVersion()
}

// known reports whether what was last listed still stands.
func (m *mesh) known() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	is := m.there != nil && !m.stale
	m.stale = false
	return is
}

func (m *mesh) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.there, m.versions = nil, map[types.NamespacedName]string{}
}
