// Package gatetest is a cluster of two tenants for the tests of floods.
package gatetest

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// World is what webhooks read: every tenant is there, and the reads of one stand still
// until Open is closed or the request ends.
type World struct {
	Slow  string        // a namespace
	Open  chan struct{} // nil: until the request ends
	Stuck atomic.Int32  // how many reads stand still
}

// Get knows namespaces and tenants.
func (w *World) Get(ctx context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	switch o := o.(type) {
	case *corev1.Namespace:
		if err := w.wait(ctx, key.Name); err != nil {
			return err
		}
		name := strings.TrimPrefix(key.Name, v1alpha1.TenantNamespace(""))
		o.Name, o.UID, o.Labels = key.Name, "1", map[string]string{v1alpha1.LabelTenant: name, v1alpha1.LabelManagedBy: v1alpha1.Operator}
	case *v1alpha1.KoraTenant:
		o.Name, o.Annotations = key.Name, map[string]string{v1alpha1.AnnotationNamespaceUID: "1"}
	default:
		return fmt.Errorf("%T is not asked for", o)
	}
	return nil
}

func (w *World) wait(ctx context.Context, namespace string) error {
	if namespace != w.Slow {
		return nil
	}
	w.Stuck.Add(1)
	defer w.Stuck.Add(-1)
	select {
	case <-w.Open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// List finds nothing.
func (*World) List(context.Context, client.ObjectList, ...client.ListOption) error { return nil }
