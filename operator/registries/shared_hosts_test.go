package registries_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// sharers are tenants whose providers share hosts: where each provider is, empty for none.
type sharers struct {
	*place
	random    *rand.Rand
	names     []string // TENANT/NAME
	endpoints map[string]string
}

// R26, R51: whatever tenants do to providers of hosts that they share, whatever somebody does
// to the entries, and wherever the operator starts anew meanwhile, each provider has its entry
// in the end, with all ports of its host, there is no other, and nothing is written any more.
func TestSharedHostsComeRight(t *testing.T) {
	p := begin(t, map[string]any{"istio": map[string]any{"outboundTrafficPolicy": "REGISTRY_ONLY"}}, "sharea", "shareb", "sharec")
	p.Settings.SyncPeriod = "2s"
	s := &sharers{place: p, random: rand.New(rand.NewPCG(51, 26)), endpoints: map[string]string{}}
	for _, tenant := range []string{"sharea", "shareb", "sharec"} {
		p.create(t, secret(tenant, "s", "key"))
		s.names = append(s.names, tenant+"/one", tenant+"/two")
	}
	s.again(t)
	for range 8 {
		for range 5 {
			s.step(t)
		}
		operatortest.Eventually(t, func() error { return s.right(t) })
	}
	p.Quiet(t)
}

func (s *sharers) again(t *testing.T) {
	t.Helper()
	if err := s.run.Stop(); err != nil {
		t.Fatal(err)
	}
	s.start(t)
}

// step does one thing, and does not wait for what becomes of it.
func (s *sharers) step(t *testing.T) {
	t.Helper()
	id := s.names[s.random.IntN(len(s.names))]
	tenant, name := id[:6], id[7:]
	endpoint := fmt.Sprintf("https://host%d.example.com:%d", s.random.IntN(2), 8440+s.random.IntN(4))
	is := s.endpoints[id]
	switch n := s.random.IntN(20); {
	case n == 0:
		s.again(t)
	case n < 3 && is != "":
		s.must(t, s.Admin.Delete(t.Context(), serviceEntry(tenant, "kora-model-"+name)))
	case n < 6 && is != "":
		s.must(t, s.Admin.Patch(t.Context(), serviceEntry(tenant, "kora-model-"+name), client.RawPatch("application/merge-patch+json",
			[]byte(`{"spec":{"ports":[{"name":"tls-1","number":1,"protocol":"TLS"}]}}`))))
	case n < 10 && is != "":
		s.must(t, s.Admin.Delete(t.Context(), modelProvider(tenant, name, is, "s")))
		delete(s.endpoints, id)
	case is == "":
		s.create(t, modelProvider(tenant, name, endpoint, "s"))
		s.endpoints[id] = endpoint
	default:
		s.patch(t, modelProvider(tenant, name, is, "s"), fmt.Sprintf(`{"spec":{"endpoint":%q}}`, endpoint))
		s.endpoints[id] = endpoint
	}
}

// must lets an entry be away that the operator has not made yet.
func (s *sharers) must(t *testing.T, err error) {
	t.Helper()
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}

// right compares the entries that are there with those that should be.
func (s *sharers) right(t *testing.T) error {
	t.Helper()
	got, all := map[string]string{}, &unstructured.UnstructuredList{}
	all.SetAPIVersion("networking.istio.io/v1")
	all.SetKind("ServiceEntryList")
	if err := s.Admin.List(t.Context(), all, client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.Operator}); err != nil {
		return err
	}
	for _, o := range all.Items {
		hosts, _, _ := unstructured.NestedStringSlice(o.Object, "spec", "hosts")
		ports, _, _ := unstructured.NestedSlice(o.Object, "spec", "ports")
		got[o.GetNamespace()+"/"+o.GetName()] = fmt.Sprint(hosts, ports)
	}
	if diff := cmp.Diff(s.wanted(), got); diff != "" {
		return errors.New(diff)
	}
	return nil
}

func (s *sharers) wanted() map[string]string {
	ports, want := map[string]map[int64]bool{}, map[string]string{}
	host, port := "", int64(0)
	for _, endpoint := range s.endpoints {
		if _, err := fmt.Sscanf(endpoint, "https://host%1s.example.com:%d", &host, &port); err != nil {
			panic(err)
		}
		if ports[host] == nil {
			ports[host] = map[int64]bool{}
		}
		ports[host][port] = true
	}
	for id, endpoint := range s.endpoints {
		_, _ = fmt.Sscanf(endpoint, "https://host%1s.", &host)
		var all []any
		for _, n := range slices.Sorted(maps.Keys(ports[host])) {
			all = append(all, tls(n))
		}
		want[v1alpha1.TenantNamespace(id[:6])+"/kora-model-"+id[7:]] = fmt.Sprint([]string{"host" + host + ".example.com"}, all)
	}
	return want
}
