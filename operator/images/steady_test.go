package images_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/runkora/kora/operator/operatortest"
	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// quiet: nothing is written while nothing changes (R52).
func quiet(t *testing.T, p *place) {
	t.Helper()
	still := func() error {
		p.Requests.Reset()
		time.Sleep(1500 * time.Millisecond)
		if writes := p.Requests.Writes(); len(writes) > 0 {
			return fmt.Errorf("written: %v", writes)
		}
		return nil
	}
	operatortest.Eventually(t, still) // what went before has settled
	if err := still(); err != nil {
		t.Error(err)
	}
}

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
