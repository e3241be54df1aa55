package registries

import (
	"context"
	"encoding/json"

	"github.com/runkora/kora/operator/api/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// write applies one entry, unless somebody else has one of its name, and gives it as
// it is then.
func (m *mesh) write(ctx context.Context, r *resource) (*unstructured.Unstructured, error) {
	want := m.entry(r.object.(*v1alpha1.ModelProvider), r.tenant)
	if _, known := m.there[client.ObjectKeyFromObject(want)]; !known {
		is := &unstructured.Unstructured{}
		is.SetGroupVersionKind(serviceEntryKind)
		if err := m.client.Get(ctx, client.ObjectKeyFromObject(want), is); err == nil && !metav1.IsControlledBy(is, r.object) {
			return nil, errForeign
		} else if client.IgnoreNotFound(err) != nil {
			return nil, err
		}
	}
	return m.put(ctx, want)
}

// put applies an entry, and replaces what an apply leaves of others: a port that somebody
// else added is nobody's to keep.
func (m *mesh) put(ctx context.Context, want *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	is := want.DeepCopy()
	err := m.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(is), client.FieldOwner(v1alpha1.Operator), client.ForceOwnership)
	if err != nil || entryOf(is).is(entryOf(want)) {
		return is, err
	}
	change, err := json.Marshal(righted(is, want))
	if err != nil {
		return nil, err
	}
	return is, m.client.Patch(ctx, is, client.RawPatch(types.JSONPatchType, change), client.FieldOwner(v1alpha1.Operator))
}

// righted is the JSON patch that makes one entry as another should be.
func righted(is, want *unstructured.Unstructured) []map[string]any {
	ops := []map[string]any{
		{"op": "test", "path": "/metadata/resourceVersion", "value": is.GetResourceVersion()},
		{"op": "add", "path": "/metadata/ownerReferences", "value": want.GetOwnerReferences()},
		{"op": "add", "path": "/spec", "value": want.Object["spec"]},
	}
	for _, path := range foreign(is) {
		ops = append(ops, map[string]any{"op": "remove", "path": path})
	}
	return ops
}
