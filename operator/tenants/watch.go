package tenants

import (
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/opa"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// watched are the ConfigMaps of tenants that pods of agents go by, and without which none
// starts: what becomes of one is seen at once (R50).
func watched() []string { return []string{opa.ConfigMap, v1alpha1.TenantCA} }

// watch has them watched by their names, with a right to these names alone, and each in a
// cache of its own, as a selector names one. Of each object the cache holds which one it
// is: nobody reads there.
func watch(mgr ctrl.Manager, b *builder.Builder) error {
	for _, name := range watched() {
		c, err := cache.New(mgr.GetConfig(), cache.Options{HTTPClient: mgr.GetHTTPClient(), Scheme: mgr.GetScheme(), Mapper: mgr.GetRESTMapper(),
			DefaultFieldSelector: fields.OneTermEqualSelector("metadata.name", name), DefaultTransform: which})
		if err == nil {
			err = mgr.Add(c)
		}
		if err != nil {
			return fmt.Errorf("watch the ConfigMaps %s: %w", name, err)
		}
		o := &metav1.PartialObjectMetadata{}
		o.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMap"))
		b.WatchesRawSource(source.Kind[client.Object](c, o, OfNamespace()))
	}
	return nil
}

// which keeps of an object which one it is: its labels and the like may be of any size.
func which(in any) (any, error) {
	o, is := in.(*metav1.PartialObjectMetadata)
	if !is {
		return in, nil
	}
	return &metav1.PartialObjectMetadata{TypeMeta: o.TypeMeta, ObjectMeta: metav1.ObjectMeta{
		Namespace: o.Namespace, Name: o.Name, UID: o.UID, ResourceVersion: o.ResourceVersion}}, nil
}
