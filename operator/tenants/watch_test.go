package tenants_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/opa"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: the ConfigMaps without which no pod of an agent starts are made anew as soon as
// somebody deletes them, and put right as soon as somebody changes them, and not at the
// next pass: until then the tenant's status would say that they are in place.
func TestWhatPodsGoByIsPutRightAtOnce(t *testing.T) {
	w := world(t)
	tenant(t, w, "watched", nil)
	ready(t, w, "watched")
	settle(t, w)
	for _, name := range []string{opa.ConfigMap, v1alpha1.TenantCA} {
		was := get(t, w, &corev1.ConfigMap{}, "kora-tenant-watched", name)
		back := func(what string) {
			t.Helper()
			operatortest.Eventually(t, func() error {
				now := named(&corev1.ConfigMap{}, was.Namespace, name)
				if err := w.Admin.Get(t.Context(), client.ObjectKeyFromObject(now), now); err != nil {
					return err
				}
				if !equality.Semantic.DeepEqual(now.Data, was.Data) || !equality.Semantic.DeepEqual(now.Labels, was.Labels) {
					return fmt.Errorf("%s %s: %v %v", name, what, now.Labels, now.Data)
				}
				return nil
			})
		}
		for range 2 {
			if err := w.Admin.Delete(t.Context(), named(&corev1.ConfigMap{}, was.Namespace, name)); err != nil {
				t.Fatal(err)
			}
			back("deleted")
		}
		for key := range was.Data {
			patch(t, w, was.DeepCopy(), fmt.Sprintf(`{"data":{%q:"evil"}}`, key))
		}
		back("changed")
		patch(t, w, was.DeepCopy(), `{"metadata":{"labels":null}}`)
		back("stripped")
	}
	ready(t, w, "watched")
	steady(t, w, func() {})
}
