package operatortest

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/testr"
	"github.com/runkora/kora/operator/manager"
	ctrl "sigs.k8s.io/controller-runtime"
)

// Run is a manager that runs.
type Run struct {
	Manager ctrl.Manager
	cancel  context.CancelFunc
	ended   chan error
	stop    func() error
}

// Start runs parts in a manager with the operator's rights, until the test ends
// or Stop. It returns when the caches are filled.
func (w *World) Start(t testing.TB, parts ...manager.Part) *Run {
	t.Helper()
	return w.StartWith(t, manager.Options{Parts: parts})
}

// StartWith is Start with a manager's other options, such as its webhook server.
// Settings, rights and address are the World's unless they are given.
func (w *World) StartWith(t testing.TB, o manager.Options) *Run {
	t.Helper()
	if o.Settings.SystemNamespace == "" {
		o.Settings = w.Settings
	}
	if o.Access == nil {
		o.Access = w.Access()
	}
	if o.Log.GetSink() == nil {
		o.Log = logr.Discard()
		if testing.Verbose() {
			o.Log = testr.NewWithInterface(quietAfter(t), testr.Options{})
		}
	}
	o.Log = w.heard(o.Log)
	o.Host, o.SeveralInProcess = "127.0.0.1", true
	mgr, err := manager.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Run{Manager: mgr, cancel: cancel, ended: make(chan error, 1)}
	r.stop = sync.OnceValue(func() error { cancel(); return <-r.ended })
	go func() { r.ended <- mgr.Start(ctx) }()
	t.Cleanup(func() {
		if err := r.Stop(); err != nil {
			t.Errorf("the manager ended with %v\n%s", err, stacks())
		}
	})
	if !mgr.GetCache().WaitForCacheSync(t.Context()) {
		t.Fatal("the caches were not filled")
	}
	return r
}

// stacks is what runs at the moment, to see what did not end.
func stacks() []byte {
	text := make([]byte, 4<<20)
	return text[:runtime.Stack(text, true)]
}

// Stop ends the manager and waits until all of it has ended.
func (r *Run) Stop() error { return r.stop() }

// quietAfter is t until the test ends: a log line after that would panic.
func quietAfter(t testing.TB) testr.TestingT {
	q := &quiet{t: t}
	t.Cleanup(func() { q.mu.Lock(); q.done = true; q.mu.Unlock() })
	return q
}

type quiet struct {
	t    testing.TB
	mu   sync.Mutex
	done bool
}

func (q *quiet) Helper() { q.t.Helper() }

func (q *quiet) Log(args ...any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.done {
		q.t.Log(args...)
	}
}
