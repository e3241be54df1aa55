package tenants_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

// R50: a Secret of the operator's that has lost its labels gets them back, and what is
// in it stays: an authority that was made anew would end all trust.
func TestStrippedSecretsAreTheOperatorsStill(t *testing.T) {
	w := world(t)
	pullSecret(t, w, "pulled", "one")
	tenant(t, w, "bare", func(o *v1alpha1.KoraTenant) { o.Spec.ImagePullSecrets = []v1alpha1.LocalReference{{Name: "pulled"}} })
	ready(t, w, "bare")
	for _, name := range []string{v1alpha1.TenantCA, v1alpha1.EgressCA, "pulled"} {
		was := get(t, w, &corev1.Secret{}, "kora-tenant-bare", name)
		for _, labels := range []string{`null`, `{"app.kubernetes.io/managed-by":"me"}`, `{"runkora.io/tenant":"other"}`} {
			patch(t, w, was.DeepCopy(), `{"metadata":{"labels":`+labels+`}}`)
			turn(t, w, "bare")
			operatortest.Eventually(t, func() error {
				now := get(t, w, &corev1.Secret{}, "kora-tenant-bare", name)
				if now.UID != was.UID || !equality.Semantic.DeepEqual(now.Data, was.Data) {
					t.Fatalf("%s is another one", name)
				}
				for key, want := range was.Labels {
					if now.Labels[key] != want {
						return fmt.Errorf("%s has the labels %v", name, now.Labels)
					}
				}
				return nil
			})
		}
	}
	ready(t, w, "bare")
}

// R50: an authority that somebody planted before the operator made its own is never
// trusted, though it has the name and the form, and it is left where it is.
func TestPlantedAuthorityIsNotTakenUp(t *testing.T) {
	w := world(t)
	tenant(t, w, "planted", nil)
	ready(t, w, "planted")
	own := get(t, w, &corev1.Secret{}, "kora-tenant-planted", v1alpha1.TenantCA)
	state, _, err := authority.Default("kora tenant planted").Step(authority.State{}, own.CreationTimestamp.Time)
	if err != nil {
		t.Fatal(err)
	}
	data, err := state.Data()
	if err != nil {
		t.Fatal(err)
	}
	planted := own.DeepCopy()
	planted.Labels, planted.Data = nil, data
	if err := w.Admin.Update(t.Context(), planted); err != nil {
		t.Fatal(err)
	}
	turn(t, w, "planted")
	says(t, w, "planted", v1alpha1.ConditionCAReady, "False", v1alpha1.ReasonConflict, "left alone", "another name")
	if now := get(t, w, &corev1.Secret{}, own.Namespace, own.Name); now.ResourceVersion != planted.ResourceVersion {
		t.Error("it was changed")
	}
}
