package tenants_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/operatortest"
)

// R50: labels that somebody adds to a tenant's namespace and that take from the operator's
// what they say, go at once; others stay, and then nothing is written any more.
func TestLabelsAgainstTheOperatorsGo(t *testing.T) {
	w := world(t)
	tenant(t, w, "contrary", nil)
	ready(t, w, "contrary")
	home := get(t, w, &corev1.Namespace{}, "", "kora-tenant-contrary")
	all := `{"pod-security.kubernetes.io/enforce-version":"v1.18","pod-security.kubernetes.io/warn-version":"v1.18","pod-security.kubernetes.io/audit-version":"v1.18",` +
		`"pod-security.kubernetes.io/enforce":"privileged","istio.io/dataplane-mode":"none","istio.io/rev":"other","team":"a"}`
	if err := w.Admin.Patch(t.Context(), home.DeepCopy(), client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":`+all+`}}`))); err != nil {
		t.Fatal(err)
	}
	home.Labels["team"] = "a"
	operatortest.Eventually(t, func() error {
		if now := get(t, w, &corev1.Namespace{}, "", home.Name); fmt.Sprint(now.Labels) != fmt.Sprint(home.Labels) {
			return fmt.Errorf("the labels are %v", now.Labels)
		}
		return nil
	})
	steady(t, w, func() {})
}
