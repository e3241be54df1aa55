package tenants_test

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/utils/clock"
)

// BenchmarkTenants is the time from the creation of a hundred tenants until all
// are ready, and the requests that each takes.
func BenchmarkTenants(b *testing.B) {
	const many = 100
	w := operatortest.New(b, nil)
	w.Start(b, tenants.New(w.Settings, clock.RealClock{}))
	for turn := 0; b.Loop(); turn++ {
		w.Requests.Reset()
		for n := range many {
			o := &v1alpha1.KoraTenant{ObjectMeta: metaNamed(fmt.Sprintf("bench-%d-%d", turn, n)), Spec: v1alpha1.KoraTenantSpec{OIDC: v1alpha1.TenantOIDC{Issuer: "https://login.example.com", ClientID: "kora"}}}
			if err := w.Admin.Create(b.Context(), o); err != nil {
				b.Fatal(err)
			}
		}
		operatortest.Eventually(b, func() error { return allReady(b, w, many*(turn+1)) })
	}
	b.ReportMetric(float64(len(w.Requests.Writes()))/many, "writes/tenant")
	b.ReportMetric(float64(w.Requests.Reads())/many, "reads/tenant")
}

func allReady(b *testing.B, w *operatortest.World, many int) error {
	list := &v1alpha1.KoraTenantList{}
	if err := w.Admin.List(b.Context(), list); err != nil {
		return err
	}
	ready := 0
	for _, o := range list.Items {
		if meta.IsStatusConditionTrue(o.Status.Conditions, v1alpha1.ConditionReady) {
			ready++
		}
	}
	if ready < many {
		return fmt.Errorf("%d of %d are ready", ready, many)
	}
	return nil
}
