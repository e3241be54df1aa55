package operatortest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Home makes a tenant, whose namespace the running tenants' part makes. When the test
// ends, and stop has ended its operator, both are taken away: the next test's operator
// sees nothing of this one's.
func (w *World) Home(t testing.TB, name string, stop func() error) {
	t.Helper()
	o := &v1alpha1.KoraTenant{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.KoraTenantSpec{
		OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}}
	if err := w.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = stop() // the rights go before the last object of the namespace does
		w.leave(t, o)
	})
}

func (w *World) leave(t testing.TB, o *v1alpha1.KoraTenant) {
	ctx := context.Background()
	_ = w.Admin.Delete(ctx, o)
	_ = w.Admin.Patch(ctx, o, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
	home := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantNamespace(o.Name)}}
	_ = w.Admin.Delete(ctx, home)
	for range 1200 {
		if apierrors.IsNotFound(w.Admin.Get(ctx, client.ObjectKeyFromObject(home), home)) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("the namespace of %s is still there", o.Name)
}

// Says waits until the condition that sums an object up, at its present generation,
// has a reason, and a message with the texts. It gives the object as it is then.
func Says[T v1alpha1.Object](t testing.TB, w *World, o T, reason string, texts ...string) T {
	t.Helper()
	Eventually(t, func() error {
		if err := w.Admin.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			return err
		}
		c := meta.FindStatusCondition(o.Common().Conditions, status.Summary(o))
		if c == nil || c.ObservedGeneration != o.GetGeneration() || c.Reason != reason {
			return fmt.Errorf("%s is %+v", o.GetName(), c)
		}
		for _, text := range texts {
			if !strings.Contains(c.Message, text) {
				return fmt.Errorf("%s lacks %q: %s", o.GetName(), text, c.Message)
			}
		}
		return nil
	})
	return o
}

// Quiet fails the test when anything is written while nothing changes.
func (w *World) Quiet(t testing.TB) {
	t.Helper()
	still := func() error {
		w.Requests.Reset()
		time.Sleep(1500 * time.Millisecond)
		if writes := w.Requests.Writes(); len(writes) > 0 {
			return fmt.Errorf("written: %v", writes)
		}
		return nil
	}
	Eventually(t, still) // what went before has settled
	if err := still(); err != nil {
		t.Error(err)
	}
}
