package manager_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/operatortest"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// busy is a part with more work than it ever gets through.
type busy struct{ passes atomic.Int64 }

func (b *busy) SetupWithManager(mgr ctrl.Manager) error {
	c, err := controller.New("busy", mgr, controller.Options{Reconciler: b, MaxConcurrentReconciles: 8})
	if err != nil {
		return err
	}
	return c.Watch(source.Func(func(_ context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		for n := range 200 {
			q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: fmt.Sprint(n)}})
		}
		return nil
	}))
}

func (b *busy) Reconcile(context.Context, reconcile.Request) (reconcile.Result, error) {
	b.passes.Add(1)
	return reconcile.Result{RequeueAfter: time.Nanosecond}, nil
}

// R50: an operator that is told to end does, in the midst of its work, and gives its
// lease back: a queue that cannot be shut down would hold up the next one.
func TestBusyManagerEnds(t *testing.T) {
	w := operatortest.New(t, nil)
	for range 10 {
		part := &busy{}
		run := w.StartWith(t, manager.Options{Parts: []manager.Part{part}})
		operatortest.Eventually(t, func() error {
			if part.passes.Load() < 1000 {
				return fmt.Errorf("%d passes", part.passes.Load())
			}
			return nil
		})
		if err := run.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}
