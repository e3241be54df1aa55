package tenants

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/settings"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write the golden policies anew")

func configured() settings.Settings {
	s := settings.Settings{Operator: settings.Operator{SystemNamespace: "kora-system", CollectorNamespace: "telemetry", NetworkPolicy: true,
		SandboxMount: settings.Mount{Enabled: true, Port: 20490}}}
	s.Observability.OTLPEndpoint = "http://collector.telemetry:4317"
	return s
}

// R25, R28, R50: the policies as a person reads them.
func TestPoliciesAreThese(t *testing.T) {
	all := policies(configured())
	var got bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text, err := yaml.Marshal(map[string]networkingv1.NetworkPolicySpec{name: all[name]})
		if err != nil {
			t.Fatal(err)
		}
		got.Write(text)
	}
	if *update {
		if err := os.WriteFile("testdata/policies.yaml", got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/policies.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-update writes it anew (-golden +got):\n%s", diff)
	}
}

// R31, R50: nothing that is opened names no port, the NFS port, a range of
// ports, no pod or namespace, or an address of a node.
func TestNothingOpensTheNFSPortOrNodes(t *testing.T) {
	s := configured()
	for name, spec := range policies(s) {
		for _, rule := range spec.Egress {
			closed(t, name, s, rule.Ports, rule.To)
		}
		for _, rule := range spec.Ingress {
			closed(t, name, s, rule.Ports, rule.From)
		}
	}
}

func closed(t *testing.T, name string, s settings.Settings, ports []networkingv1.NetworkPolicyPort, peers []networkingv1.NetworkPolicyPeer) {
	t.Helper()
	if len(ports) == 0 || len(peers) == 0 {
		t.Errorf("%s opens all ports, or to everybody", name)
	}
	for _, p := range ports {
		if p.Port == nil || p.EndPort != nil || p.Port.IntValue() == s.SandboxMount.Port || p.Port.IntValue() == 0 {
			t.Errorf("%s opens %v", name, p)
		}
	}
	for _, peer := range peers {
		if peer.IPBlock != nil && peer.IPBlock.CIDR != "169.254.20.10/32" && !slices.Contains(s.CollectorCIDRs, peer.IPBlock.CIDR) {
			t.Errorf("%s opens addresses %v", name, peer.IPBlock)
		}
		if peer.IPBlock == nil && peer.NamespaceSelector == nil {
			t.Errorf("%s opens to pods of the tenant itself: %v", name, peer)
		}
	}
}

// outside is a collector outside of the cluster, among other external services.
func outside(endpoint string, cidrs ...string) settings.Settings {
	s := configured()
	s.CollectorNamespace, s.Observability.OTLPEndpoint, s.CollectorCIDRs = "", endpoint, cidrs
	return s
}

// R28: a collector outside of the cluster is reached at the addresses that the
// chart lists for its port, on that port, and at nothing else; without any, or
// without an endpoint, nothing leads anywhere.
func TestWaysToACollector(t *testing.T) {
	for name, c := range map[string]struct {
		settings settings.Settings
		want     []string // address and port
	}{
		"by its name":              {outside("https://otel.example.com", "203.0.113.0/28", "2001:db8::/64"), []string{"203.0.113.0/28:443", "2001:db8::/64:443"}},
		"by its address":           {outside("http://203.0.113.4:4317", "203.0.113.0/28", "198.51.100.0/24"), []string{"203.0.113.0/28:4317"}},
		"by an address of IPv6":    {outside("http://[2001:db8::7]:4317", "203.0.113.0/28", "2001:db8::/64"), []string{"2001:db8::/64:4317"}},
		"at an address not listed": {outside("http://192.0.2.1:4317", "203.0.113.0/28"), nil},
		"nowhere":                  {outside("https://otel.example.com"), nil},
		"no endpoint":              {outside("", "203.0.113.0/28"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, rule := range policies(c.settings)["kora-collector"].Egress {
				closed(t, name, c.settings, rule.Ports, rule.To)
				for _, peer := range rule.To {
					got = append(got, peer.IPBlock.CIDR+":"+rule.Ports[0].Port.String())
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, wanted %q", got, c.want)
			}
			if _, there := policies(c.settings)["kora-collector"]; there != (c.want != nil) {
				t.Errorf("a policy is there: %v", there)
			}
		})
	}
}

// R28: what the chart tells the operator of a collector leads to just what its
// external services open on the endpoint's port, and never to all addresses.
func TestTheChartTellsOfTheCollector(t *testing.T) {
	external := []any{
		map[string]any{"cidr": "10.20.0.0/24", "ports": []any{5432, 6379}},
		map[string]any{"cidr": "203.0.113.0/28", "ports": []any{443, 4317}},
		map[string]any{"cidr": "0.0.0.0/0", "ports": []any{4317}},
		map[string]any{"cidr": "::/0", "ports": []any{4317}},
	}
	for namespace, want := range map[string][]string{"": {"203.0.113.0/28"}, "telemetry": nil} {
		s := operatortest.Settings(t, map[string]any{
			"global":        map[string]any{"observability": map[string]any{"otlpEndpoint": "http://otel.example.com:4317", "collectorNamespace": namespace}},
			"networkPolicy": map[string]any{"externalServices": external},
		})
		if !slices.Equal(s.CollectorCIDRs, want) {
			t.Errorf("with the namespace %q: %q, wanted %q", namespace, s.CollectorCIDRs, want)
		}
		var got []string
		for _, peer := range policies(s)["kora-collector"].Egress[0].To {
			if peer.IPBlock != nil {
				got = append(got, peer.IPBlock.CIDR)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("with the namespace %q tenants reach %q", namespace, got)
		}
	}
}
