package certificates

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// watch has the authority and the leaf looked at as soon as the Secret is another one or
// gone: a person deletes it to end all trust in it, and that is not to wait until it is
// read anyway (R54). The leaf hears of caBundle too: it waits for both, which are another
// replica's to make, and a replica that asked now and then would be ready long after.
func (h *Hooks) watch(ctx context.Context, from cache.Cache) error {
	err := on(ctx, from, h.settings.secret(), func() {
		h.authority.moved.Store(true)
		h.authority.wake.ring()
		h.leaf.wake.ring()
	})
	if err != nil {
		return fmt.Errorf("watch the metadata of Secret %s: %w", h.settings.Secret, err)
	}
	for _, o := range []client.Object{&admissionv1.ValidatingWebhookConfiguration{}, &admissionv1.MutatingWebhookConfiguration{}} {
		if err := on(ctx, from, o, h.leaf.wake.ring); err != nil {
			return fmt.Errorf("watch each %T: %w", o, err)
		}
	}
	return nil
}

// secret is what is watched of the authority's Secret: its metadata alone, so that its
// key is in no cache.
func (s Settings) secret() client.Object {
	secret := &metav1.PartialObjectMetadata{}
	secret.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
	secret.SetNamespace(s.Namespace)
	secret.SetName(s.Secret)
	return secret
}

// on calls stir for each event of a kind.
func on(ctx context.Context, from cache.Cache, kind client.Object, stir func()) error {
	informer, err := from.GetInformer(ctx, kind)
	if err != nil {
		return err
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { stir() }, UpdateFunc: func(_, _ any) { stir() }, DeleteFunc: func(any) { stir() }})
	return err
}
