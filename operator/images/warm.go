package images

import (
	"context"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// warm keeps the DaemonSet of a warm image that is valid, and removes that of any
// other (R52). One of somebody else under its name is left alone.
func (r *Reconciler) warm(ctx context.Context, image *v1alpha1.SandboxImage) error {
	is := &appsv1.DaemonSet{}
	err := r.client.Get(ctx, client.ObjectKey{Namespace: image.Namespace, Name: warmName(image)}, is)
	if client.IgnoreNotFound(err) != nil {
		return err
	}
	absent := apierrors.IsNotFound(err)
	if !image.Spec.Warm || !isValid(image) {
		if absent || !metav1.IsControlledBy(is, image) {
			return nil
		}
		return client.IgnoreNotFound(r.client.Delete(ctx, is, client.Preconditions{UID: &is.UID}))
	}
	if absent {
		if free, err := r.free(ctx, image); err != nil || !free {
			return err
		}
	} else if !metav1.IsControlledBy(is, image) {
		r.taken(ctx, image)
		return nil
	}
	want := r.daemonSet(image)
	if !absent && same(want, is) {
		return nil
	}
	return r.apply(ctx, want)
}

// same reports whether nothing would change: neither what the operator wants, by
// its hash, nor what it wrote.
func same(want, is *appsv1.DaemonSet) bool {
	return want.Annotations[annotationHash] == is.Annotations[annotationHash] &&
		equality.Semantic.DeepDerivative(want.Spec, is.Spec) && equality.Semantic.DeepDerivative(want.Labels, is.Labels)
}

// free asks the API server itself: the cache holds what is labelled as kora's alone.
func (r *Reconciler) free(ctx context.Context, image *v1alpha1.SandboxImage) (bool, error) {
	is := &metav1.PartialObjectMetadata{}
	is.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("DaemonSet"))
	err := r.live.Get(ctx, client.ObjectKey{Namespace: image.Namespace, Name: warmName(image)}, is)
	if err == nil && !metav1.IsControlledBy(is, image) {
		r.taken(ctx, image)
		return false, nil
	}
	return true, client.IgnoreNotFound(err)
}

func (r *Reconciler) taken(ctx context.Context, image *v1alpha1.SandboxImage) {
	const words = "spec.warm: the DaemonSet %s of this namespace is not the operator's, and is left alone: delete it, and the image is kept pulled"
	log.FromContext(ctx).Info("a DaemonSet of somebody else has the name of a warm image's", "daemonset", warmName(image))
	r.events.Eventf(image, nil, corev1.EventTypeWarning, v1alpha1.ReasonConflict, "Warm", words, warmName(image))
}

// apply writes the DaemonSet by server-side apply.
func (r *Reconciler) apply(ctx context.Context, want *appsv1.DaemonSet) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(want)
	if err != nil {
		return fmt.Errorf("DaemonSet %s: %w", want.Name, err)
	}
	delete(fields, "status")
	return r.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(&unstructured.Unstructured{Object: fields}),
		client.FieldOwner(v1alpha1.Operator), client.ForceOwnership)
}

// warmName is a warm image's DaemonSet: at most 60 characters, as names of images end at 50.
func warmName(image *v1alpha1.SandboxImage) string { return "kora-warm-" + image.Name }
