package certificates

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// watch has the authority looked at as soon as its Secret is another one or gone: a person
// deletes it to end all trust in it, and that is not to wait until it is read anyway
// (R54). Of the Secret its metadata alone is watched, so that its key is in no cache.
func (a *authority) watch(ctx context.Context, from cache.Cache) (wake <-chan struct{}, err error) {
	secret := &metav1.PartialObjectMetadata{}
	secret.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Secret"))
	secret.SetNamespace(a.Namespace)
	secret.SetName(a.Secret)
	informer, err := from.GetInformer(ctx, secret)
	if err != nil {
		return nil, fmt.Errorf("watch the metadata of Secret %s: %w", a.Secret, err)
	}
	woken := make(chan struct{}, 1)
	stir := func(any) {
		a.moved.Store(true)
		select {
		case woken <- struct{}{}:
		default: // it is awake already
		}
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: stir, UpdateFunc: func(_, now any) { stir(now) }, DeleteFunc: stir})
	return woken, err
}
