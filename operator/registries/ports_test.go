package registries

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
)

// providers are good ones of tenants, each "tenant endpoint", sorted by tenant.
func providers(of ...string) (all []*resource) {
	for i, each := range of {
		tenant, url, _ := strings.Cut(each, " ")
		p := &v1alpha1.ModelProvider{}
		p.Namespace, p.Name, p.Spec.Endpoint = v1alpha1.TenantNamespace(tenant), fmt.Sprintf("p-%04d", i), url
		all = append(all, &resource{object: p, tenant: tenant, finding: finding{verdict: status.Good("ready")}})
	}
	return all
}

func numbers(m *mesh, r *resource) (all []int64) {
	for _, p := range m.opened(r.object.(*v1alpha1.ModelProvider)) {
		all = append(all, p.(map[string]any)["number"].(int64))
	}
	return all
}

// R26, R51: every entry of a host has all ports that providers of it have, whichever tenant's,
// since Istio goes by one of them; and the ports of other hosts, and of providers that are wrong, are not among them.
func TestEntriesOfOneHostAreAlike(t *testing.T) {
	m := &mesh{only: true}
	all := providers("a https://models.example.com:8443/v1", "a https://other.example.com:9443", "b https://MODELS.example.com", "b https://models.example.com/v2", "c https://models.example.com:7443")
	all[4].verdict = status.Bad(v1alpha1.ReasonInvalid, "wrong")
	m.open(all)
	for i, want := range [][]int64{{443, 8443}, {9443}, {443, 8443}, {443, 8443}} {
		if got := numbers(m, all[i]); !slices.Equal(got, want) || !all[i].verdict.True() {
			t.Errorf("%d: %v, want %v; %+v", i, got, want, all[i].verdict)
		}
	}
	if all[4].verdict.Reason != v1alpha1.ReasonInvalid {
		t.Errorf("%+v", all[4].verdict)
	}
}

// R51: one tenant with thousands of ports of a host has an entry of a bounded size, and
// neither takes another's port away nor makes the other's entry grow beyond that.
func TestOneTenantClosesNoHost(t *testing.T) {
	var of []string
	for n := range 3000 {
		of = append(of, fmt.Sprintf("evil https://models.example.com:%d", 1000+n))
	}
	all := providers(append(of, "good https://models.example.com", "good https://models.example.com:60001", "other https://models.example.com:60000")...)
	m := &mesh{only: true}
	m.open(all)
	right := 0
	for i, r := range all {
		if n := len(numbers(m, r)); n > hostPorts {
			t.Fatalf("an entry of %d ports", n)
		}
		switch {
		case r.verdict.True():
			right++
		case i >= 3000:
			t.Errorf("%s: %+v", r.object.GetName(), r.verdict)
		case r.verdict.Reason != v1alpha1.ReasonConflict || !strings.Contains(r.verdict.Message, "models.example.com") || strings.Contains(r.verdict.Message, "good"):
			t.Fatalf("%+v", r.verdict)
		}
	}
	if right != hostPorts {
		t.Errorf("%d have a place", right)
	}
}

// Without REGISTRY_ONLY there are no entries, and no provider waits for a place.
func TestPortsMatterUnderRegistryOnlyAlone(t *testing.T) {
	var of []string
	for n := range 100 {
		of = append(of, fmt.Sprintf("a https://models.example.com:%d", 1000+n))
	}
	all := providers(of...)
	(&mesh{}).open(all)
	for _, r := range all {
		if !r.verdict.True() {
			t.Fatalf("%+v", r.verdict)
		}
	}
}
