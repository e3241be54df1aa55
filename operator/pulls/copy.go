package pulls

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/pages"
	"github.com/runkora/kora/operator/settings"
)

// once makes the copies equal to their sources, and removes those that the chart
// names no longer. What is wrong with one does not keep the others from it.
func (c *Copier) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var found []error
	for o, err := range pages.Of(ctx, c.client, named(), client.InNamespace(settings.MountNamespace)) {
		if err != nil {
			return err
		}
		if c.made(o) && !slices.Contains(c.settings.ImagePullSecrets, o.GetName()) {
			found = append(found, c.keeper().Remove(ctx, o))
		}
	}
	for i, name := range c.settings.ImagePullSecrets {
		if err := c.keep(ctx, name); err != nil {
			found = append(found, fmt.Errorf("global.imagePullSecrets[%d]: %w", i, err))
		}
	}
	return errors.Join(found...)
}

// named lists Secrets without what they hold: the namespace may be somebody's.
func named() *metav1.PartialObjectMetadataList {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("SecretList"))
	return list
}

// made reports whether a Secret of that namespace is a copy, though it may have lost its labels.
func (c *Copier) made(o client.Object) bool {
	return o.GetLabels()[v1alpha1.LabelManagedBy] == v1alpha1.Operator || o.GetAnnotations()[v1alpha1.AnnotationPullSecret] == c.source(o.GetName())
}

func (c *Copier) source(name string) string { return c.settings.SystemNamespace + "." + name }

// keep copies one Secret. Its type is what keeps every other Secret of the platform
// from being copied.
func (c *Copier) keep(ctx context.Context, name string) error {
	source := &corev1.Secret{}
	if err := c.client.Get(ctx, client.ObjectKey{Namespace: c.settings.SystemNamespace, Name: name}, source); err != nil {
		return err
	}
	if source.Type != corev1.SecretTypeDockerConfigJson {
		return fmt.Errorf("the Secret %s/%s is of the type %q, and only one of %s is copied", source.Namespace, name, source.Type, corev1.SecretTypeDockerConfigJson)
	}
	live, want := &corev1.Secret{}, c.want(source)
	switch err := c.client.Get(ctx, client.ObjectKeyFromObject(want), live); {
	case apierrors.IsNotFound(err):
		return c.client.Create(ctx, want, client.FieldOwner(v1alpha1.Operator))
	case err != nil:
		return err
	case c.made(live):
		return c.right(ctx, live, want)
	case live.Type != want.Type:
		return fmt.Errorf("the Secret %s/%s is not the operator's, and of the type %q, by which no image is pulled: delete it, and the operator makes its copy", live.Namespace, name, live.Type)
	}
	return nil // somebody's own, which is as good
}

func (c *Copier) want(source *corev1.Secret) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: source.Name, Namespace: settings.MountNamespace,
			Labels:      map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora"},
			Annotations: map[string]string{v1alpha1.AnnotationPullSecret: c.source(source.Name)}},
		Type: source.Type,
		Data: map[string][]byte{corev1.DockerConfigJsonKey: source.Data[corev1.DockerConfigJsonKey]},
	}
}
