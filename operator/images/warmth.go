package images

import (
	"context"
	"sync"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// warmth is what the last look over each namespace found of its warm images.
type warmth struct {
	mu sync.Mutex
	of map[string]map[string]status.Verdict // by namespace and name
}

// put keeps what was found of a namespace, and gives the names of the images of which
// something else was found before.
func (w *warmth) put(namespace string, found map[string]status.Verdict) (changed []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.of[namespace]
	for name, v := range found {
		if before[name] != v {
			changed = append(changed, name)
		}
	}
	for name := range before {
		if _, still := found[name]; !still {
			changed = append(changed, name)
		}
	}
	if w.of == nil {
		w.of = map[string]map[string]status.Verdict{}
	}
	if w.of[namespace] = found; len(found) == 0 {
		delete(w.of, namespace)
	}
	return changed
}

// get gives what was found of an image.
func (w *warmth) get(name types.NamespacedName) (v status.Verdict, found bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	v, found = w.of[name.Namespace][name.Name]
	return v, found
}

// tell notes what was found of a namespace, and wakes the images that it is news to.
func (r *Reconciler) tell(namespace string, found map[string]status.Verdict) {
	for _, name := range r.warmth.put(namespace, found) {
		r.line.wake(types.NamespacedName{Namespace: namespace, Name: name})
	}
}

// warmed sets the condition Warm as it was found: of a warm image that is valid. Before
// anything was found, after a start, it stays as it is unless the spec has changed.
func (r *Reconciler) warmed(image *v1alpha1.SandboxImage) {
	v, found := r.warmth.get(nameOf(image))
	was := meta.FindStatusCondition(image.Status.Conditions, v1alpha1.ConditionWarm)
	switch {
	case !image.Spec.Warm || !isValid(image), was != nil && !found && was.ObservedGeneration != image.Generation:
		meta.RemoveStatusCondition(&image.Status.Conditions, v1alpha1.ConditionWarm)
	case found:
		if !v.True() && (was == nil || was.Reason != v.Reason) {
			r.events.Eventf(image, nil, corev1.EventTypeWarning, v.Reason, "Warm", "%s", short(v.Message))
		}
		status.Set(image, v1alpha1.ConditionWarm, v, r.clock.Now())
	}
}

// tellWarm writes the condition of an image that is not read now.
func (r *Reconciler) tellWarm(ctx context.Context, image *v1alpha1.SandboxImage) error {
	before := image.DeepCopy()
	if r.warmed(image); equality.Semantic.DeepEqual(before.Status, image.Status) {
		return nil
	}
	if err := status.Write(ctx, r.client, before, image); err != nil {
		return client.IgnoreNotFound(err)
	}
	r.schedule.noted(image)
	return nil
}
