package images_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func patch(t *testing.T, p *place, o client.Object, text string) {
	t.Helper()
	kind := types.MergePatchType
	if _, ok := o.(*appsv1.DaemonSet); ok {
		kind = types.StrategicMergePatchType
	}
	if err := p.Admin.Patch(t.Context(), o, client.RawPatch(kind, []byte(text))); err != nil {
		t.Fatal(err)
	}
}

func absent(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return fmt.Errorf("it is there: %v", err)
}
