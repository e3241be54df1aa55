package images

import (
	"context"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// line is who waits for a turn at a registry, each tenant in a line of its own: the
// many images of one come after one another, and not before another's (R52).
type line struct {
	mu      sync.Mutex
	queue   queue                             // nil until the controller runs
	waiting map[string][]types.NamespacedName // by namespace, the first first
	order   []string                          // the namespaces, whose turn is next first
}

// start is a source of the controller: it gives its queue.
func (l *line) start(_ context.Context, q queue) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = q
	return nil
}

// wake has an image looked at that does not wait. Before the controller runs nothing is
// lost: it looks at all of them when it starts.
func (l *line) wake(name types.NamespacedName) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.queue != nil {
		l.queue.Add(reconcile.Request{NamespacedName: name})
	}
}

// join notes that an image waits.
func (l *line) join(name types.NamespacedName) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting = map[string][]types.NamespacedName{}
	}
	own := l.waiting[name.Namespace]
	if len(own) == 0 {
		l.order = append(l.order, name.Namespace)
	}
	if !slices.Contains(own, name) {
		l.waiting[name.Namespace] = append(own, name)
	}
}

// has reports whether an image waits.
func (l *line) has(name types.NamespacedName) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.waiting[name.Namespace], name)
}

// leave takes an image out that waits no longer.
func (l *line) leave(name types.NamespacedName) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiting[name.Namespace], name); i >= 0 {
		l.remove(name.Namespace, i)
	}
}

// next wakes, after a read of a tenant's image, the tenant's next one, and that of the
// tenant that has waited longest. Whoever finds that its turn has not come joins again.
func (l *line) next(namespace string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.queue == nil {
		return
	}
	if len(l.waiting[namespace]) > 0 {
		l.queue.Add(reconcile.Request{NamespacedName: l.first(namespace)})
	}
	if len(l.order) > 0 {
		l.queue.Add(reconcile.Request{NamespacedName: l.first(l.order[0])})
	}
}

// first gives the first of a namespace; those behind it come after all other tenants.
func (l *line) first(namespace string) types.NamespacedName {
	name := l.waiting[namespace][0]
	l.remove(namespace, 0)
	if i := slices.Index(l.order, namespace); i >= 0 {
		l.order = append(slices.Delete(l.order, i, i+1), namespace)
	}
	return name
}

// remove leaves the tenant its place in the order, unless nobody of it waits any more.
func (l *line) remove(namespace string, i int) {
	if l.waiting[namespace] = slices.Delete(l.waiting[namespace], i, i+1); len(l.waiting[namespace]) == 0 {
		delete(l.waiting, namespace)
		l.order = slices.DeleteFunc(l.order, func(n string) bool { return n == namespace })
	}
}
