package pulls

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/settings"
)

// once makes the copies equal to their sources, and removes those that the chart
// names no longer. What is wrong with one does not keep the others from it.
func (c *Copier) once(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	list := &corev1.SecretList{}
	if err := c.client.List(ctx, list, client.InNamespace(settings.MountNamespace), client.MatchingLabels(labels())); err != nil {
		return err
	}
	copies := map[string]*corev1.Secret{}
	var found []error
	for i := range list.Items {
		live := &list.Items[i]
		if copies[live.Name] = live; !slices.Contains(c.settings.ImagePullSecrets, live.Name) {
			found = append(found, c.remove(ctx, live))
		}
	}
	for i, name := range c.settings.ImagePullSecrets {
		if err := c.keep(ctx, name, copies[name]); err != nil {
			found = append(found, fmt.Errorf("global.imagePullSecrets[%d]: %w", i, err))
		}
	}
	return errors.Join(found...)
}

// keep copies one Secret. Its type is what keeps every other Secret of the platform
// from being copied; a copy's own type is fixed, so another is made anew.
func (c *Copier) keep(ctx context.Context, name string, live *corev1.Secret) error {
	source := &corev1.Secret{}
	if err := c.client.Get(ctx, client.ObjectKey{Namespace: c.settings.SystemNamespace, Name: name}, source); err != nil {
		return err
	}
	if source.Type != corev1.SecretTypeDockerConfigJson {
		return fmt.Errorf("the Secret %s/%s is of the type %q, and only one of %s is copied", source.Namespace, name, source.Type, corev1.SecretTypeDockerConfigJson)
	}
	want := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: settings.MountNamespace, Labels: labels(),
			Annotations: map[string]string{v1alpha1.AnnotationPullSecret: source.Namespace + "." + name}},
		Type: source.Type,
		Data: map[string][]byte{corev1.DockerConfigJsonKey: source.Data[corev1.DockerConfigJsonKey]},
	}
	if live != nil && live.Type == want.Type && equality.Semantic.DeepEqual(live.Data, want.Data) {
		return nil
	}
	if live != nil {
		if err := c.remove(ctx, live); err != nil {
			return err
		}
	}
	err := c.client.Create(ctx, want, client.FieldOwner(v1alpha1.Operator))
	if apierrors.IsAlreadyExists(err) { // somebody's own, which is as good
		return nil
	}
	return err
}

// remove deletes a copy as it was read.
func (c *Copier) remove(ctx context.Context, live *corev1.Secret) error {
	uid := live.UID
	return client.IgnoreNotFound(c.client.Delete(ctx, live, client.Preconditions{UID: &uid}))
}

// labels are on every copy, and on nothing else in that namespace.
func labels() map[string]string {
	return map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora"}
}
