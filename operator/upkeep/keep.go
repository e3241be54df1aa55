package upkeep

import (
	"context"
	"fmt"
	"maps"

	"github.com/runkora/kora/operator/api/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

// Thing is one object as it should be.
type Thing struct {
	// Want is complete but for the API server's defaults.
	Want client.Object
	// Same reports whether a live object says what Want says, labels aside.
	Same func(live client.Object) bool
	// Fixed reports whether a live object can never become Want, such as a
	// RoleBinding of another role. It is deleted first. Nil: always can.
	Fixed func(live client.Object) bool
	// Added reports that what others add to the object does no harm: it is never
	// replaced, only applied.
	Added bool
	// Uncached says that the kind is not in the cache for this namespace.
	Uncached bool
}

// Keeper keeps objects.
type Keeper struct {
	Client client.Client
	Live   client.Reader        // reads from the API server
	Events events.EventRecorder // tells whose finalizers were taken off; nil: nobody
}

// Keep makes or changes the object, if it needs to. It writes once at most, or
// twice when an apply alone does not do.
func (k Keeper) Keep(ctx context.Context, thing Thing) error {
	live := thing.Want.DeepCopyObject().(client.Object)
	switch err := k.reader(thing).Get(ctx, client.ObjectKeyFromObject(thing.Want), live); {
	case apierrors.IsNotFound(err):
		return k.make(ctx, thing)
	case err != nil:
		return err
	}
	// One that is being deleted counts as any other: a finalizer of somebody's can hold
	// it there for ever, in force. It keeps its finalizers where it can be put right; when
	// it has gone, it is made anew.
	if labelled(live, thing.Want) && thing.Same(live) {
		return nil
	}
	if thing.Fixed != nil && thing.Fixed(live) {
		if err := k.Clear(ctx, live); err != nil {
			return err
		}
	}
	return k.change(ctx, thing)
}

// make applies what the cache does not hold. There may be one without the
// operator's label, which the cache does not see, and which cannot be changed.
func (k Keeper) make(ctx context.Context, thing Thing) error {
	err := k.change(ctx, thing)
	if !apierrors.IsInvalid(err) || thing.Fixed == nil {
		return err
	}
	live := thing.Want.DeepCopyObject().(client.Object)
	if missing := k.Live.Get(ctx, client.ObjectKeyFromObject(thing.Want), live); missing != nil || !thing.Fixed(live) {
		return err
	}
	if err := k.Clear(ctx, live); err != nil {
		return err
	}
	return k.change(ctx, thing)
}

func (k Keeper) reader(thing Thing) client.Reader {
	if thing.Uncached {
		return k.Live
	}
	return k.Client
}

// change applies, and replaces what an apply leaves of others.
func (k Keeper) change(ctx context.Context, thing Thing) error {
	applied, err := k.apply(ctx, thing.Want)
	if err != nil || thing.Added || thing.Same(applied) {
		return err
	}
	whole := thing.Want.DeepCopyObject().(client.Object)
	whole.SetResourceVersion(applied.GetResourceVersion())
	whole.SetUID(applied.GetUID())
	whole.SetFinalizers(applied.GetFinalizers())
	whole.SetLabels(over(applied.GetLabels(), whole.GetLabels()))
	whole.SetAnnotations(over(applied.GetAnnotations(), whole.GetAnnotations()))
	return k.Client.Update(ctx, whole, client.FieldOwner(v1alpha1.Operator))
}

// apply gives the object as it is afterwards, in the type of want.
func (k Keeper) apply(ctx context.Context, want client.Object) (client.Object, error) {
	u, err := k.plain(want)
	if err != nil {
		return nil, err
	}
	if err := k.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(v1alpha1.Operator), client.ForceOwnership); err != nil {
		return nil, err
	}
	live := want.DeepCopyObject().(client.Object)
	return live, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, live)
}

// plain is the object as an apply sends it: what it says, and nothing of its status.
func (k Keeper) plain(o client.Object) (*unstructured.Unstructured, error) {
	gvk, err := apiutil.GVKForObject(o, k.Client.Scheme())
	if err != nil {
		return nil, err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", gvk.Kind, o.GetName(), err)
	}
	u := &unstructured.Unstructured{Object: content}
	u.SetGroupVersionKind(gvk)
	unstructured.RemoveNestedField(u.Object, "status")
	unstructured.RemoveNestedField(u.Object, "metadata", "creationTimestamp")
	return u, nil
}

// Remove deletes an object that the operator made, if it is there as it was read.
func (k Keeper) Remove(ctx context.Context, live client.Object) error {
	if live.GetDeletionTimestamp() != nil {
		return nil
	}
	return k.remove(ctx, live)
}

func (k Keeper) remove(ctx context.Context, live client.Object) error {
	uid := live.GetUID()
	return client.IgnoreNotFound(k.Client.Delete(ctx, live, client.Preconditions{UID: &uid}))
}

func labelled(live, want client.Object) bool {
	return within(want.GetLabels(), live.GetLabels()) && within(want.GetAnnotations(), live.GetAnnotations())
}

func within(want, live map[string]string) bool {
	for key, value := range want {
		if got, there := live[key]; !there || got != value {
			return false
		}
	}
	return true
}

func over(base, top map[string]string) map[string]string {
	all := maps.Clone(base)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, top)
	return all
}
