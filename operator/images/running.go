package images

import (
	"context"
	"slices"

	"github.com/runkora/kora/operator/api/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// warmName is a warm image's DaemonSet: at most 60 characters, as names of images end at 50.
func warmName(image *v1alpha1.SandboxImage) string { return "kora-warm-" + image.Name }

// named finds a DaemonSet, nil where there is none of the name.
func named(running []appsv1.DaemonSet, name string) *appsv1.DaemonSet {
	if i := slices.IndexFunc(running, func(is appsv1.DaemonSet) bool { return is.Name == name }); i >= 0 {
		return &running[i]
	}
	return nil
}

// ours reports whether a DaemonSet is an image's: the one that it was made for may be
// gone, and then the next that shares it owns it.
func ours(is metav1.Object) bool {
	group := v1alpha1.GroupVersion.String()
	if c := metav1.GetControllerOf(is); c != nil {
		return c.Kind == "SandboxImage" && c.APIVersion == group
	}
	return slices.ContainsFunc(is.GetOwnerReferences(), func(o metav1.OwnerReference) bool {
		return o.Kind == "SandboxImage" && o.APIVersion == group
	})
}

// pulls is the image that a DaemonSet keeps pulled.
func pulls(is *appsv1.DaemonSet) string {
	if len(is.Spec.Template.Spec.Containers) == 0 {
		return ""
	}
	return is.Spec.Template.Spec.Containers[0].Image
}

// runs reports whether a DaemonSet's pods run wherever they are to.
func runs(is *appsv1.DaemonSet) bool {
	return is.Status.ObservedGeneration == is.Generation && is.Status.NumberReady >= is.Status.DesiredNumberScheduled
}

// same reports whether nothing would change: neither what the operator wants, by its hash,
// nor what it wrote, by the generation that this had: whatever somebody adds makes another.
func same(want, is *appsv1.DaemonSet) bool {
	lacks := slices.ContainsFunc(want.OwnerReferences, func(o metav1.OwnerReference) bool {
		return !slices.ContainsFunc(is.OwnerReferences, func(has metav1.OwnerReference) bool { return equality.Semantic.DeepEqual(o, has) })
	})
	return !lacks && want.Annotations[annotationHash] == is.Annotations[annotationHash] && is.Annotations[annotationWritten] == generation(is) &&
		equality.Semantic.DeepDerivative(want.Spec, is.Spec) && equality.Semantic.DeepDerivative(want.Labels, is.Labels)
}

// free asks the API server itself: the cache holds what is labelled as kora's alone.
func (r *Reconciler) free(ctx context.Context, image *v1alpha1.SandboxImage) (bool, error) {
	is := &metav1.PartialObjectMetadata{}
	is.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("DaemonSet"))
	err := r.live.Get(ctx, client.ObjectKey{Namespace: image.Namespace, Name: warmName(image)}, is)
	if err == nil && !ours(is) {
		log.FromContext(ctx).Info("a DaemonSet of somebody else has the name of a warm image's", "daemonset", warmName(image))
		return false, nil
	}
	return true, client.IgnoreNotFound(err)
}
