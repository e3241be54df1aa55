package images

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/upkeep"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// setupWarm adds the controller of DaemonSets. It goes by namespaces, so that however
// many images one has, it is looked over once.
func (r *Reconciler) setupWarm(mgr ctrl.Manager) error {
	ofNamespace := handler.EnqueueRequestsFromMapFunc(func(_ context.Context, o client.Object) []reconcile.Request {
		return []reconcile.Request{{NamespacedName: types.NamespacedName{Name: o.GetNamespace()}}}
	})
	labelled := predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetLabels()[LabelImage] != "" })
	return ctrl.NewControllerManagedBy(mgr).Named("warmimages").
		Watches(&v1alpha1.SandboxImage{}, ofNamespace).
		Watches(&appsv1.DaemonSet{}, ofNamespace, builder.WithPredicates(labelled, predicate.GenerationChangedPredicate{})).
		WithOptions(upkeep.Options(workers / 4)).
		Complete(reconcile.Func(r.warm))
}

// warm keeps the DaemonSets of a namespace's warm images that are valid, and removes
// those of any other (R52). What it finds each image tells on its own status.
func (r *Reconciler) warm(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	if lives, err := r.lives(ctx, request.Name); err != nil || !lives {
		r.tell(request.Name, nil)
		return ctrl.Result{}, err
	}
	list, running := &v1alpha1.SandboxImageList{}, &appsv1.DaemonSetList{}
	err := errors.Join(r.client.List(ctx, list, client.InNamespace(request.Name), client.UnsafeDisableDeepCopy),
		r.client.List(ctx, running, client.InNamespace(request.Name), client.HasLabels{LabelImage}))
	if err != nil {
		return ctrl.Result{}, err
	}
	believed, open, err := r.believe(ctx, list.Items)
	if err != nil {
		return ctrl.Result{}, err
	}
	stay, rest := apart(running.Items, open)
	p := r.plan(believed, len(stay))
	err = r.keep(ctx, p, running.Items)
	held, gone := r.release(ctx, p, rest)
	r.tell(request.Name, p.verdicts)
	if err = errors.Join(err, gone); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: r.again(p, held, len(open) > 0)}, nil
}

// lives reports whether a namespace stays, and the operator has a say in it.
func (r *Reconciler) lives(ctx context.Context, namespace string) (bool, error) {
	home := &corev1.Namespace{}
	if err := r.client.Get(ctx, client.ObjectKey{Name: namespace}, home); client.IgnoreNotFound(err) != nil || !home.DeletionTimestamp.IsZero() {
		return false, client.IgnoreNotFound(err)
	}
	left, err := r.left(ctx, home)
	return left == nil, err
}

// keep makes and restores the DaemonSets that are planned.
func (r *Reconciler) keep(ctx context.Context, p plan, running []appsv1.DaemonSet) error {
	var failed []error
	for _, each := range p.kept {
		image := each.images[0]
		want, is := r.daemonSet(each), named(running, warmName(image))
		if is == nil || !ours(is) {
			free, err := r.free(ctx, image)
			if failed = append(failed, err); err == nil && !free {
				p.refuse(each, status.Bad(v1alpha1.ReasonConflict, "spec.warm: the DaemonSet %s of this namespace is not the operator's, and is left alone: delete it, and the image is kept pulled", warmName(image)))
			}
			if err != nil || !free {
				continue
			}
		} else if same(want, is) {
			continue
		}
		failed = append(failed, r.write(ctx, want, is != nil && ours(is)))
	}
	return errors.Join(failed...)
}

// again is when to look once more where nobody tells: what waits for another's pods, what
// is not judged yet, and what somebody else's DaemonSet is in the way of, which the cache
// does not hold.
func (r *Reconciler) again(p plan, held, open bool) time.Duration {
	switch {
	case held:
		return 2 * time.Second
	case open:
		return nextTurn
	case slices.ContainsFunc(p.kept, func(each carried) bool { return !p.verdicts[each.images[0].Name].True() }):
		return r.schedule.period
	}
	return 0
}

// replaced is how long a DaemonSet waits at most for the one that takes its place.
const replaced = 2 * time.Minute

// release removes the DaemonSets that are not planned. One whose image another carries
// now stays until that one's pods run, one for each.
func (r *Reconciler) release(ctx context.Context, p plan, running []appsv1.DaemonSet) (held bool, err error) {
	var failed []error
	waits := map[string]bool{}
	for i := range running {
		is := &running[i]
		if !ours(is) || p.has(is.Name) {
			continue
		}
		image := pulls(is)
		if !waits[image] && r.takenOver(p, image, running) {
			waits[image], held = true, true
			continue
		}
		failed = append(failed, client.IgnoreNotFound(r.client.Delete(ctx, is, client.Preconditions{UID: &is.UID})))
	}
	return held, errors.Join(failed...)
}

// takenOver reports whether another DaemonSet is on its way to keep an image pulled.
func (r *Reconciler) takenOver(p plan, image string, running []appsv1.DaemonSet) bool {
	for _, each := range p.kept {
		if pinned(each.images[0]) != image || !p.verdicts[each.images[0].Name].True() { // its name is somebody else's
			continue
		}
		next := named(running, warmName(each.images[0]))
		return next == nil || !runs(next) && r.clock.Since(next.CreationTimestamp.Time) < replaced
	}
	return false
}
