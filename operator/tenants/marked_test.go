package tenants_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	"github.com/runkora/kora/operator/tenants/proof"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50, R54: a KoraTenant bears the operator's mark, by which the webhook knows who has
// read it. It comes with the record of its namespace, also to a tenant of an operator of
// before, comes back when somebody takes it or writes another, is another when the key is,
// and is written once.
func TestTenantsBearTheMark(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	o := tenant(t, w, "borne", nil)
	tenant(t, w, "other", nil)
	ready(t, w, "borne")
	other := ready(t, w, "other").Annotations[v1alpha1.AnnotationMark]
	home := get(t, w, &corev1.Namespace{}, "", v1alpha1.TenantNamespace("borne"))
	bears := func() string {
		t.Helper()
		mark := ""
		operatortest.Eventually(t, func() error {
			now := get(t, w, &v1alpha1.KoraTenant{}, "", "borne")
			mark = now.Annotations[v1alpha1.AnnotationMark]
			key, err := proof.Key(t.Context(), w.Admin, operatortest.System)
			if err != nil || mark != proof.Tenant(key, now) || now.Annotations[v1alpha1.AnnotationNamespaceUID] != string(home.UID) {
				return fmt.Errorf("it bears %v, %v", now.Annotations, err)
			}
			return nil
		})
		return mark
	}
	first := bears()
	if other == "" || other == first {
		t.Errorf("two tenants bear %q and %q", first, other)
	}
	for _, change := range []string{
		`{"runkora.io/made-by":null}`, `{"runkora.io/made-by":"` + other + `"}`, `{"runkora.io/made-by":""}`,
		`{"runkora.io/made-by":null,"runkora.io/namespace-uid":null}`,
	} {
		patch(t, w, o, `{"metadata":{"annotations":`+change+`}}`)
		if bears() != first {
			t.Errorf("%s: it bears another", change)
		}
	}
	ready(t, w, "borne")
	steady(t, w, func() { turn(t, w, "borne") })

	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	patch(t, w, o, `{"metadata":{"annotations":{"runkora.io/made-by":null}}}`)
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	if bears() != first {
		t.Error("one of before bears another")
	}
}

// R50, R54: it is written anew with the next key, and put back while the namespace goes.
func TestTheMarkOfATenantIsOfTheKey(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	o := tenant(t, w, "keyed", nil)
	first := ready(t, w, "keyed").Annotations[v1alpha1.AnnotationMark]
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := w.Admin.Delete(t.Context(), named(&corev1.Secret{}, operatortest.System, proof.KeySecret)); err != nil {
		t.Fatal(err)
	}
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	bears := func(want func(string) bool) {
		t.Helper()
		operatortest.Eventually(t, func() error {
			if mark := get(t, w, &v1alpha1.KoraTenant{}, "", "keyed").Annotations[v1alpha1.AnnotationMark]; !want(mark) {
				return fmt.Errorf("it bears %q, at first %q", mark, first)
			}
			return nil
		})
	}
	bears(func(mark string) bool { return mark != "" && mark != first })
	ready(t, w, "keyed")

	home := get(t, w, &corev1.Namespace{}, "", v1alpha1.TenantNamespace("keyed"))
	patch(t, w, home, `{"metadata":{"finalizers":["example.com/held"]}}`) // whatever the operator writes there meanwhile
	t.Cleanup(func() {
		held := named(&corev1.Namespace{}, "", home.Name)
		_ = w.Admin.Patch(context.Background(), held, client.RawPatch("application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`)))
	})
	if err := w.Admin.Delete(t.Context(), home); err != nil {
		t.Fatal(err)
	}
	says(t, w, "keyed", v1alpha1.ConditionNamespaceReady, "Unknown", v1alpha1.ReasonProgressing, "is being deleted")
	patch(t, w, o, `{"metadata":{"annotations":{"runkora.io/made-by":null}}}`)
	bears(func(mark string) bool { return mark != "" && mark != first })
}
