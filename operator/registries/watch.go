package registries

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// ask is how often a cluster without ServiceEntries is asked whether it has them: one
// request for what it serves, for which nobody needs a right.
const ask = 10 * time.Second

// watch lets a pass put right at once what somebody does to a ServiceEntry of the
// operator's. The metadata of all in the cluster is kept, and nothing else of them:
// a cache for those of the label alone would need the kind to be there. A watch of a
// kind that is not served would keep the controller from starting: where Istio comes
// after the operator, the watch begins when the kind is there.
func (m *mesh) watch(mgr ctrl.Manager, c controller.Controller, pause func() time.Duration) error {
	if !m.only {
		return nil
	}
	switch served, err := m.served(mgr); {
	case err != nil:
		return fmt.Errorf("whether the cluster has ServiceEntries: %w", err)
	case served:
		return c.Watch(m.entries(mgr, pause))
	}
	return mgr.Add(manager.RunnableFunc(func(ctx context.Context) error { // on the leader, as the controller
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(ask):
			}
			if served, _ := m.served(mgr); served { // an error is the API server's, which is asked again
				mgr.GetLogger().Info("ServiceEntries are watched from now on", "kind", serviceEntryKind.String())
				entries := m.entries(mgr, pause)
				if err := errors.Join(c.Watch(entries), entries.WaitForSync(ctx)); err != nil || ctx.Err() != nil {
					return err
				}
				return c.Watch(source.Func(m.arrived))
			}
		}
	}))
}

func (m *mesh) served(mgr ctrl.Manager) (bool, error) {
	_, err := mgr.GetRESTMapper().RESTMapping(serviceEntryKind.GroupKind(), serviceEntryKind.Version)
	if meta.IsNoMatchError(err) {
		return false, nil
	}
	return err == nil, err
}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// arrived asks for a pass at once that lists all: providers have waited for the kind,
// and what went before the watch has told nobody.
func (m *mesh) arrived(_ context.Context, q queue) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stale = true
	q.Add(pass)
	return nil
}

// entries are the changes of ServiceEntries that are somebody else's doing.
func (m *mesh) entries(mgr ctrl.Manager, pause func() time.Duration) source.SyncingSource {
	entries := &metav1.PartialObjectMetadata{}
	entries.SetGroupVersionKind(serviceEntryKind)
	told := func(own bool, o client.Object, version string, q queue) {
		if own && m.changed(client.ObjectKeyFromObject(o), version) {
			q.AddAfter(pass, pause())
		}
	}
	return source.Kind(mgr.GetCache(), client.Object(entries), handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, q queue) {
			told(maybeOwn(e.Object), e.Object, e.Object.GetResourceVersion(), q)
		},
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q queue) {
			told(maybeOwn(e.ObjectOld) || maybeOwn(e.ObjectNew), e.ObjectNew, e.ObjectNew.GetResourceVersion(), q)
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q queue) { told(maybeOwn(e.Object), e.Object, "", q) },
	})
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
	delete(m.wrong, name)
	if o == nil {
		delete(m.there, name)
		delete(m.versions, name)
		return
	}
	m.there[name], m.versions[name] = entryOf(o), o.GetResourceVersion()
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
	m.stale, m.versions = true, map[types.NamespacedName]string{}
}
