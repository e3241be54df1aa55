package injection_test

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/injection"
	"github.com/runkora/kora/operator/operatortest"
)

// R10, R54: the API server takes every one of these pods.
func TestSidecarsOfAllSizesAreTaken(t *testing.T) {
	h := webhooktest.New(t)
	at := namespaceOf(t, h, operatortest.Unique("limits"), map[string]string{})
	for _, pod := range injection.LimitedPods(t) {
		pod.Namespace = at
		if err := h.Admin.Create(t.Context(), pod, client.DryRunAll); err != nil {
			t.Errorf("%s of %v: %v", pod.Name, pod.Annotations, err)
		}
	}
}
