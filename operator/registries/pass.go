package registries

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants/proof"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Reconcile is one pass over all tenants. Once in a sync period it reads Secrets
// and ServiceEntries again; while a resource waits for something that nobody tells
// of, such as a Secret, it comes back sooner, and later each time.
func (r *Reconciler) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock.Now()
	defer func() { r.pause.took(r.clock.Now().Sub(now)) }()
	age := now.Sub(r.full)
	full := age < 0 || age >= r.period-r.period/20
	if full {
		r.mesh.renew()
		r.full, r.told, r.put = now, nil, written{}
	}
	if r.secrets.key == nil {
		key, err := proof.Key(ctx, r.client, r.system)
		if err != nil {
			return ctrl.Result{}, err
		}
		r.secrets.key = key
	}
	s, err := look(ctx, r.client, r.system, &r.watched)
	if err != nil {
		return ctrl.Result{}, err
	}
	waiting, changed, err := r.settle(ctx, s, now)
	if err != nil {
		r.mesh.forget()
		r.put = written{}
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: r.next(waiting, changed)}, nil
}

// settle judges, writes the registries, and only then the statuses that say so. What
// could not be written or deleted for one tenant is waited for as a Secret is: it
// fails no pass, and all others are looked at when their time comes.
func (r *Reconciler) settle(ctx context.Context, s *snapshot, now time.Time) (waiting, changed int, err error) {
	if err := r.secrets.refresh(ctx, s.needs(), now, r.full); err != nil {
		return 0, 0, err
	}
	r.left = r.secrets.left
	s.judge(&r.secrets)
	odd := errors.Join(r.mesh.keep(ctx, s), r.grants.keep(ctx, s))
	s.follow()
	if err := r.write(ctx, s.registries()); err != nil {
		return 0, 0, errors.Join(odd, err)
	}
	waiting, changed, err = r.tell(ctx, s, now)
	waiting += r.secrets.unread
	if odd != nil && ctx.Err() == nil {
		log.FromContext(ctx).Error(odd, "what the registries keep in tenants' namespaces is not all as it should be, and is tried again")
		r.mesh.forget()
		waiting++
	}
	return waiting, changed, err
}

// tell writes the statuses that differ. One that cannot be written stops no other.
func (r *Reconciler) tell(ctx context.Context, s *snapshot, now time.Time) (waiting, changed int, err error) {
	var before, after []v1alpha1.Object
	marks, kept, of := []mark{}, written{}, map[string]int{}
	for _, kind := range kinds {
		for _, each := range s.resources[kind] {
			if each.waiting {
				waiting++
			}
			key, m := string(each.object.GetUID()), mark{each.object.GetResourceVersion(), each.String()}
			if r.told.lags(key, m.before, m.what) {
				kept[key] = m
			} else if told := each.told(now); told != nil {
				if of[each.object.GetNamespace()]++; of[each.object.GetNamespace()] > perTenant {
					r.left++
					continue
				}
				before, after, marks = append(before, each.object), append(after, told), append(marks, m)
			}
		}
	}
	failed := make([]error, len(after))
	each(len(after), func(i int) {
		failed[i] = client.IgnoreNotFound(status.Write(ctx, r.client, before[i], after[i]))
	})
	for i, m := range marks {
		if failed[i] == nil {
			kept[string(before[i].GetUID())] = m
		}
	}
	r.told = kept
	return waiting, len(after), errors.Join(failed...)
}

// String is all of a finding that a status shows.
func (r *resource) String() string {
	return fmt.Sprintf("%d %s %s %s %q", r.object.GetGeneration(), r.verdict.Reason, r.secretHash, r.mesh, r.verdict.Message)
}

// told is the object with the status that it should have, nil when it has it.
func (r *resource) told(now time.Time) v1alpha1.Object {
	if r.pending || said(r.object, r.finding) {
		return nil
	}
	o := r.object.DeepCopyObject().(v1alpha1.Object)
	switch o := o.(type) {
	case *v1alpha1.Connection:
		o.Status.SecretHash = r.secretHash
	case *v1alpha1.ModelProvider:
		o.Status.ServiceEntry = r.mesh
	}
	status.Set(o, v1alpha1.ConditionReady, r.verdict, now)
	if equality.Semantic.DeepEqual(o, r.object) {
		return nil
	}
	return o
}

// said reports whether the status says a finding already, without a copy of the
// object: nearly always it does.
func said(o v1alpha1.Object, f finding) bool {
	common := o.Common()
	switch o := o.(type) {
	case *v1alpha1.Connection:
		if o.Status.SecretHash != f.secretHash {
			return false
		}
	case *v1alpha1.ModelProvider:
		if o.Status.ServiceEntry != f.mesh {
			return false
		}
	}
	c := meta.FindStatusCondition(common.Conditions, v1alpha1.ConditionReady)
	return c != nil && common.ObservedGeneration == o.GetGeneration() && c.Status == f.verdict.Status && c.Reason == f.verdict.Reason &&
		c.Message == f.verdict.Message && c.ObservedGeneration == o.GetGeneration()
}

// next is when to come back: at the sync period, and before that while something
// is waited for, from soon on, twice as long after each pass that changed nothing. At once,
// as passes go, where something was left for the next one.
func (r *Reconciler) next(waiting, changed int) time.Duration {
	switch {
	case r.left > 0: // what is waited for was not looked at as a whole
	case changed > 0 || waiting == 0:
		r.idle = 0
	default:
		r.idle = min(r.idle+1, 16)
	}
	wait := max(r.period-r.clock.Now().Sub(r.full), time.Second)
	if waiting > 0 {
		wait = min(wait, (soon<<r.idle)+time.Second)
	}
	if r.left > 0 {
		wait = min(wait, r.pause.get())
	}
	return min(wait, r.period)
}
