package registries_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
)

// reads counts the reads of single Secrets of one tenant.
func reads(tenant string, n *atomic.Int32) *operatortest.Answers {
	a := &operatortest.Answers{}
	a.When(func(r *http.Request) int {
		if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/"+v1alpha1.TenantNamespace(tenant)+"/secrets/") {
			n.Add(1)
		}
		return operatortest.Pass
	})
	return a
}

// R51: a tenant whose many Connections name Secrets that are not there costs another
// tenant's Connection no more than its share of a few passes, and each is told of in time.
func TestAFloodOfMissingSecretsHoldsUpNobodyElse(t *testing.T) {
	const many, perTenant = 800, 64
	p := begin(t, map[string]any{"operator": map[string]any{"syncPeriod": "1h"}}, "flood", "calm")
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	var n atomic.Int32
	p.access = reads("flood", &n).Wrap(p.Access())
	p.start(t)
	p.create(t, secret("calm", "s", "token"), connection("calm", "first", "s"))
	says(t, p, connection("calm", "first", ""), v1alpha1.ReasonSucceeded)
	flood := func(i int) *v1alpha1.Connection {
		return connection("flood", fmt.Sprintf("c-%d", i), fmt.Sprintf("s-%d", i))
	}
	var made sync.WaitGroup
	failed := make([]error, 8)
	for w := range failed {
		made.Go(func() {
			for i := w; i < many && failed[w] == nil; i += len(failed) {
				failed[w] = p.Admin.Create(t.Context(), flood(i))
			}
		})
	}
	made.Wait()
	for _, err := range failed {
		if err != nil {
			t.Fatal(err)
		}
	}
	before := n.Load()
	p.create(t, connection("calm", "second", "s"))
	says(t, p, connection("calm", "second", ""), v1alpha1.ReasonSucceeded)
	if read := n.Load() - before; read > 5*perTenant {
		t.Errorf("%d Secrets of another tenant were read before", read)
	}
	for i := range many {
		says(t, p, flood(i), v1alpha1.ReasonReferenceNotFound)
	}
	if read := n.Load(); read > 4*many {
		t.Errorf("%d reads of %d Secrets that are not there", read, many)
	}
	p.create(t, secret("flood", "s-7", "token")) // one that comes is found
	says(t, p, flood(7), v1alpha1.ReasonSucceeded)
	operatortest.Eventually(t, func() error { // and the registry holds what is right
		_, entries, _, err := p.registry(t.Context(), "connection")
		if err == nil && (len(entries) != 3 || entries["flood/c-7"] == nil) {
			err = fmt.Errorf("it holds %d", len(entries))
		}
		return err
	})
}
