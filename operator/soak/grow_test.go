package soak_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// measure is what one step showed.
type measure struct {
	tenants, resources int
	made, ready        time.Duration // since the step began
	used               usage         // since the operator began
	cpu                time.Duration // of the step alone
	calls              calls
	steady             calls
	steadyCPU          time.Duration
}

// makers is how many tenants are made at once.
const makers = 12

// grow makes tenants until there are n, waits until all is Ready, and then until
// nothing is written for a while.
func (s *soak) grow(t *testing.T, n int) {
	t.Helper()
	before, spent := s.operator.usage(t), s.spent
	s.proxy.take()
	began := time.Now()
	var names []string
	for i := len(s.model.tenants); i < n; i++ {
		names = append(names, fmt.Sprintf("t%d", i))
	}
	s.found(t, names)
	m := measure{tenants: n, resources: n * each, made: time.Since(began)}
	s.until(t, fmt.Sprintf("%d tenants are ready", n), func() error { return s.unready(t.Context()) })
	m.ready = time.Since(began)
	s.settle(t)
	m.calls, m.used = s.proxy.take(), s.operator.usage(t)
	m.cpu = m.used.cpu - before.cpu + s.spent - spent
	s.rest(t, &m)
	s.measured = append(s.measured, m)
	t.Logf("%d tenants: made %s, ready %s, cpu %s, resident %d MiB (peak %d), heap %d MiB; calls %d: %s; steady %s, cpu %s", n, m.made.Round(time.Millisecond), m.ready.Round(time.Millisecond), m.cpu.Round(time.Millisecond),
		m.used.resident, m.used.peak, m.used.heap, m.calls.sum(""), m.calls, m.steady, m.steadyCPU)
}

// rest watches a while in which nothing changes.
func (s *soak) rest(t *testing.T, m *measure) {
	t.Helper()
	before := s.operator.usage(t)
	s.proxy.take()
	time.Sleep(*still)
	m.steady, m.steadyCPU = s.proxy.take(), s.operator.usage(t).cpu-before.cpu
	if writes := m.steady.writes(); len(writes) > 0 {
		t.Errorf("%d tenants, and nothing changes: in %s the operator wrote %s", m.tenants, *still, writes)
	}
}

// settle waits until two seconds have passed without a write.
func (s *soak) settle(t *testing.T) {
	t.Helper()
	s.until(t, "the operator falls silent", func() error {
		before := s.proxy.look().writes().sum("")
		time.Sleep(2 * time.Second)
		if after := s.proxy.look().writes(); after.sum("") != before {
			return fmt.Errorf("it still writes: %s", after)
		}
		return nil
	})
}

// found makes tenants with all that they have.
func (s *soak) found(t *testing.T, names []string) {
	t.Helper()
	queue := make(chan string)
	var all sync.WaitGroup
	failed := make(chan error, makers)
	for range makers {
		all.Go(func() {
			for name := range queue {
				if err := s.foundOne(t.Context(), name); err != nil {
					select {
					case failed <- fmt.Errorf("tenant %s: %w", name, err):
					default:
					}
				}
			}
		})
	}
	go func() {
		for _, name := range names {
			queue <- name
		}
		close(queue)
	}()
	for _, name := range names {
		s.model.add(name)
	}
	finished := make(chan struct{})
	go func() { all.Wait(); close(finished) }()
	s.until(t, "the tenants are made", func() error {
		select {
		case <-finished:
			return nil
		default:
			return errors.New("still at it")
		}
	})
	select {
	case err := <-failed:
		t.Fatal(err)
	default:
	}
}

// foundOne waits for the namespace, as people do who then write into it.
func (s *soak) foundOne(ctx context.Context, name string) error {
	if err := s.create(ctx, tenantOf(name)); err != nil {
		return err
	}
	home := &corev1.Namespace{}
	if err := patiently(ctx, func() error {
		return s.Admin.Get(ctx, client.ObjectKey{Name: v1alpha1.TenantNamespace(name)}, home)
	}); err != nil {
		return err
	}
	for _, o := range append(secretsOf(name), resourcesOf(name)...) {
		if err := s.create(ctx, o); err != nil {
			return err
		}
	}
	return nil
}

// create tries until the API server has taken an object: while the operator is
// down nothing of kora's is.
func (s *soak) create(ctx context.Context, o client.Object) error {
	return patiently(ctx, func() error {
		err := s.Admin.Create(ctx, o.DeepCopyObject().(client.Object))
		if apierrors.IsAlreadyExists(err) { // taken before, and the answer was lost
			return nil
		}
		return err
	})
}

// patiently tries again after whatever failed.
func patiently(ctx context.Context, try func() error) error {
	ctx, cancel := context.WithTimeout(ctx, *wait)
	defer cancel()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not after %s: %w", *wait, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// unready is about the first few objects of kora's that are not Ready.
func (s *soak) unready(ctx context.Context) error {
	var waiting []string
	total := 0
	for _, list := range lists() {
		if err := s.Admin.List(ctx, list); err != nil {
			return err
		}
		for _, o := range objects(list) {
			total++
			if c := summary(o); c == nil || c.Status != "True" || c.ObservedGeneration != o.GetGeneration() {
				waiting = append(waiting, fmt.Sprintf("%T %s/%s: %+v", o, o.GetNamespace(), o.GetName(), c))
			}
		}
	}
	if want := s.model.objects(); total != want {
		return fmt.Errorf("there are %d objects of kora's and not %d", total, want)
	}
	if len(waiting) > 0 {
		return fmt.Errorf("%d of %d are not ready: %s", len(waiting), total, waiting[:min(3, len(waiting))])
	}
	return nil
}
