package soak_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// changing makes changes, one after the other, until it is told to stop. What the
// webhooks refuse while the operator is down is tried until they are there.
func (s *soak) changing(t *testing.T) (stop func() (changes int)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int)
	go func() {
		n := 0
		for ctx.Err() == nil {
			if err := s.change(); err != nil {
				t.Errorf("a change: %v", err)
				break
			}
			n++
			time.Sleep(20 * time.Millisecond)
		}
		ended <- n
	}()
	return func() int {
		cancel()
		for { // the last change may need an operator that has ended by itself
			select {
			case n := <-ended:
				return n
			case <-time.After(100 * time.Millisecond):
				s.revive(t)
			}
		}
	}
}

// change makes one, and tells the model. Once begun it is done.
func (s *soak) change() error {
	ctx := context.Background()
	tenant := s.model.pick()
	switch n := s.model.below(20); {
	case n < 7:
		return s.edit(ctx, tenant)
	case n < 11:
		return s.toggle(ctx, tenant)
	case n < 14:
		return s.rotate(ctx, tenant)
	case n < 18:
		return s.tamper(ctx, tenant)
	case n < 19:
		return s.arrive(ctx)
	}
	return s.depart(ctx, tenant)
}

// edit points a Connection elsewhere.
func (s *soak) edit(ctx context.Context, tenant string) error {
	want := connection(tenant, "github", fmt.Sprintf("api-%d.github.com", s.model.below(1000)))
	return patiently(ctx, func() error {
		is := &v1alpha1.Connection{}
		if err := s.Admin.Get(ctx, client.ObjectKeyFromObject(want), is); err != nil {
			return err
		}
		is.Spec = want.Spec
		if err := s.Admin.Update(ctx, is); err != nil {
			return err
		}
		s.model.set(tenant, want)
		return nil
	})
}

// toggle removes a model provider, or makes it again.
func (s *soak) toggle(ctx context.Context, tenant string) error {
	o := modelProvider(tenant, "other", "https://other.example.com")
	s.model.mu.Lock()
	there := s.model.tenants[tenant][id(o)] != nil
	s.model.mu.Unlock()
	if !there {
		s.model.set(tenant, o)
		return s.create(ctx, o)
	}
	s.model.drop(tenant, id(o))
	return patiently(ctx, func() error { return client.IgnoreNotFound(s.Admin.Delete(ctx, o.DeepCopy())) })
}

// rotate gives a Secret another value, of which nobody tells the operator.
func (s *soak) rotate(ctx context.Context, tenant string) error {
	o := &corev1.Secret{ObjectMeta: in(tenant, "github")}
	change := fmt.Sprintf(`{"stringData":{"token":"github-%d"}}`, s.model.below(1000))
	return patiently(ctx, func() error { return s.Admin.Patch(ctx, o, client.RawPatch(types.MergePatchType, []byte(change))) })
}

// arrive makes a tenant with all that it has.
func (s *soak) arrive(ctx context.Context) error {
	s.model.mu.Lock()
	s.model.next++
	name := fmt.Sprintf("late%d", s.model.next)
	s.model.mu.Unlock()
	s.model.add(name)
	return s.foundOne(ctx, name)
}

// depart deletes a tenant with its namespace, as its administrator confirms: what would
// go may become another meanwhile, such as by what somebody does to a label, and is
// confirmed again. A few always stay.
func (s *soak) depart(ctx context.Context, name string) error {
	if len(s.model.names()) < 4 || name == s.model.names()[0] {
		return nil
	}
	s.model.forget(name)
	return patiently(ctx, func() error {
		home := &corev1.Namespace{}
		err := s.Admin.Get(ctx, client.ObjectKey{Name: v1alpha1.TenantNamespace(name)}, home)
		if apierrors.IsNotFound(err) || err == nil && home.DeletionTimestamp != nil {
			return nil
		}
		return errors.Join(err, s.confirm(ctx, name), errors.New("it is there still"))
	})
}

// confirm deletes a tenant, and says that what would go now is meant to.
func (s *soak) confirm(ctx context.Context, name string) error {
	o := &v1alpha1.KoraTenant{}
	if err := s.Admin.Get(ctx, client.ObjectKey{Name: name}, o); err != nil {
		return err
	}
	plan, err := tenants.PlanOf(ctx, s.Admin, name)
	if err != nil {
		return err
	}
	confirm := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, v1alpha1.AnnotationConfirmDeletion, plan.Confirmation(o))
	if err := s.Admin.Patch(ctx, o, client.RawPatch(types.MergePatchType, []byte(confirm))); err != nil {
		return err
	}
	return s.Admin.Delete(ctx, o)
}
