package images

import (
	"context"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pullSecrets are the names that an image is pulled with: its own first, then
// those of the chart, which the operator copies into each tenant's namespace.
func (r *Reconciler) pullSecrets(image *v1alpha1.SandboxImage) []string {
	var names []string
	if image.Spec.PullSecretRef != nil {
		names = append(names, image.Spec.PullSecretRef.Name)
	}
	for _, name := range r.settings.ImagePullSecrets {
		if len(names) == 0 || names[0] != name {
			names = append(names, name)
		}
	}
	return names
}

// keyring reads the pull Secrets of the image's own namespace (R52). A fault in
// the one that the image names is a verdict; one of the chart's that is not there,
// or not yet, is passed over.
func (r *Reconciler) keyring(ctx context.Context, image *v1alpha1.SandboxImage) (registry.Keyring, *status.Verdict, error) {
	var ring registry.Keyring
	for i, name := range r.pullSecrets(image) {
		secret := &corev1.Secret{}
		err := r.client.Get(ctx, client.ObjectKey{Namespace: image.Namespace, Name: name}, secret)
		if client.IgnoreNotFound(err) != nil {
			return ring, nil, err
		}
		named := i == 0 && image.Spec.PullSecretRef != nil
		if bad := add(&ring, secret, name, apierrors.IsNotFound(err)); bad != nil && named {
			return ring, bad, nil
		}
	}
	return ring, nil, nil
}

// add puts a Secret's credentials on the ring.
func add(ring *registry.Keyring, secret *corev1.Secret, name string, absent bool) *status.Verdict {
	bad := func(reason, format string, args ...any) *status.Verdict {
		v := status.Bad(reason, "spec.pullSecretRef.name: "+format, args...)
		return &v
	}
	config, ok := secret.Data[corev1.DockerConfigJsonKey]
	switch {
	case absent:
		return bad(v1alpha1.ReasonReferenceNotFound, "there is no Secret %q in the image's namespace, and Secrets of other namespaces are not read: create it here, or correct the name", name)
	case !ok:
		return bad(v1alpha1.ReasonSecretKeyMissing, "the Secret %q has no key %s: create it with kubectl create secret docker-registry", name, corev1.DockerConfigJsonKey)
	case secret.Type != corev1.SecretTypeDockerConfigJson:
		return bad(v1alpha1.ReasonInvalid, "the Secret %q is not of the type %s, and nodes pull with no other: create it anew with kubectl create secret docker-registry", name, corev1.SecretTypeDockerConfigJson)
	}
	if err := ring.Add(config); err != nil {
		return bad(v1alpha1.ReasonInvalid, "the key %s of the Secret %q cannot be read, %v: create it anew with kubectl create secret docker-registry", corev1.DockerConfigJsonKey, name, err)
	}
	return nil
}
