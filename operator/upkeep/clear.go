package upkeep

import (
	"context"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Clear makes room for another object of the name (R50): it deletes the one that was read,
// which can never become what it should be, an immutable one for example.
//
// Held by a finalizer, such an object would stay in force as whoever wrote it has it, and
// whoever may write it may put one on. The name is the operator's, nobody has anything to
// clean up behind what the operator deletes, so a finalizer there is nobody's to put: it
// is taken off, and an event tells. That is done after the deletion, since no finalizer
// is taken in any more from then on.
func (k Keeper) Clear(ctx context.Context, live client.Object) error {
	if err := k.Remove(ctx, live); err != nil {
		return err
	}
	held := live.DeepCopyObject().(client.Object)
	switch err := k.Live.Get(ctx, client.ObjectKeyFromObject(live), held); { // what a cache holds may lack the finalizers
	case apierrors.IsNotFound(err):
		return nil
	case err != nil:
		return err
	case held.GetUID() != live.GetUID() || len(held.GetFinalizers()) == 0:
		return nil
	}
	names := held.GetFinalizers()
	switch err := k.free(ctx, held); {
	case apierrors.IsNotFound(err): // it went by itself
		return nil
	case err != nil:
		return fmt.Errorf("%s is not as it should be and cannot be changed, and the finalizers %q, which hold it in its deletion, could not be taken off: %w", live.GetName(), few(names), err)
	}
	k.tell(ctx, held, names)
	return nil
}

// free takes the finalizers off one object and no other of its name. The operator may
// update Secrets of tenants, and patch everything else that it clears.
func (k Keeper) free(ctx context.Context, held client.Object) error {
	if _, is := held.(*corev1.Secret); is {
		freed := held.DeepCopyObject().(client.Object)
		freed.SetFinalizers(nil)
		return k.Client.Update(ctx, freed, client.FieldOwner(v1alpha1.Operator))
	}
	off := fmt.Sprintf(`{"metadata":{"uid":%q,"finalizers":null}}`, held.GetUID())
	return k.Client.Patch(ctx, held.DeepCopyObject().(client.Object), client.RawPatch(types.MergePatchType, []byte(off)), client.FieldOwner(v1alpha1.Operator))
}

func (k Keeper) tell(ctx context.Context, held client.Object, finalizers []string) {
	ctrl.LoggerFrom(ctx).Info("finalizers that held an object which could not be put right were taken off, and it is made anew",
		"object", fmt.Sprintf("%T", held), "namespace", held.GetNamespace(), "name", held.GetName(), "finalizers", few(finalizers))
	if k.Events == nil {
		return
	}
	k.Events.Eventf(held, nil, corev1.EventTypeWarning, v1alpha1.ReasonConflict, "Replace",
		"%s is the operator's, was not as it should be, and could not be changed; the finalizers %q held it in its deletion, where they are nobody's to put: they were taken off, and it is made anew. Find out who may write it in %s",
		held.GetName(), few(finalizers), held.GetNamespace())
}

// few are as many names as an event has room for.
func few(names []string) []string {
	const most = 2
	if len(names) <= most {
		return names
	}
	return append(append([]string{}, names[:most]...), fmt.Sprintf("and %d more", len(names)-most))
}
