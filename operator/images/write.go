package images

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/runkora/kora/operator/api/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// annotationWritten is the generation of a DaemonSet as the operator wrote it. The spec is
// not compared, since the API server's defaults are in it and what webhooks make of it.
const annotationWritten = "runkora.io/written-generation"

func generation(is *appsv1.DaemonSet) string { return strconv.FormatInt(is.Generation, 10) }

// write makes a DaemonSet what it should be: applied, then rid of what others added, which an
// apply leaves to them, and marked at last, so that one that was not written whole is
// written again.
func (r *Reconciler) write(ctx context.Context, want *appsv1.DaemonSet, there bool) error {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(want)
	if err != nil {
		return fmt.Errorf("DaemonSet %s: %w", want.Name, err)
	}
	delete(fields, "status")
	o := &unstructured.Unstructured{Object: fields}
	if err := r.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(o), client.FieldOwner(v1alpha1.Operator), client.ForceOwnership); err != nil {
		return err
	}
	is := want.DeepCopy()
	is.Generation = o.GetGeneration()
	if there {
		if err := r.patch(ctx, is, types.JSONPatchType, []any{map[string]any{"op": "add", "path": "/spec", "value": want.Spec}}); err != nil {
			return err
		}
	}
	return r.patch(ctx, is, types.MergePatchType, map[string]any{"metadata": map[string]any{"annotations": map[string]any{annotationWritten: generation(is)}}})
}

// patch changes a DaemonSet, which is then as the API server has it.
func (r *Reconciler) patch(ctx context.Context, is *appsv1.DaemonSet, kind types.PatchType, change any) error {
	text, err := json.Marshal(change)
	if err != nil {
		return fmt.Errorf("DaemonSet %s: %w", is.Name, err)
	}
	return r.client.Patch(ctx, is, client.RawPatch(kind, text), client.FieldOwner(v1alpha1.Operator))
}
