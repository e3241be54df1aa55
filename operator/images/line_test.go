package images

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// R52: a tenant's images wait behind one another, and not before another tenant's.
func TestEachTenantWaitsInALineOfItsOwn(t *testing.T) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	defer q.ShutDown()
	at := func(namespace, name string) types.NamespacedName {
		return types.NamespacedName{Namespace: namespace, Name: name}
	}
	woken := func() (names []string) {
		for q.Len() > 0 {
			r, _ := q.Get()
			names = append(names, r.String())
			q.Done(r)
		}
		return names
	}
	l := &line{}
	l.join(at("a", "early"))
	l.leave(at("a", "early"))
	l.next("a") // before the controller runs, and nobody waits
	if err := l.start(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1", "2", "3", "4"} {
		l.join(at("a", name))
	}
	l.join(at("a", "2")) // it waits already
	l.join(at("b", "1"))
	l.join(at("c", "1"))
	l.join(at("c", "2"))
	l.leave(at("a", "2"))
	l.leave(at("d", "1"))
	for i, c := range []struct {
		read string
		want []string
	}{{"b", []string{"b/1", "a/1"}}, {"a", []string{"a/3", "c/1"}}, {"d", []string{"a/4"}}, {"c", []string{"c/2"}}, {"a", nil}} {
		l.next(c.read)
		if got := woken(); !slices.Equal(got, c.want) {
			t.Errorf("%d: %v, not %v", i, got, c.want)
		}
	}
	if len(l.order)+len(l.waiting) > 0 {
		t.Errorf("left over: %v %v", l.order, l.waiting)
	}
}
