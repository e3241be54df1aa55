package tenants

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		if peer.IPBlock != nil && peer.IPBlock.CIDR != "169.254.20.10/32" {
			t.Errorf("%s opens addresses %v", name, peer.IPBlock)
		}
		if peer.IPBlock == nil && peer.NamespaceSelector == nil {
			t.Errorf("%s opens to pods of the tenant itself: %v", name, peer)
		}
	}
}

// R28: without a collector's namespace, nothing leads to one.
func TestNoCollectorNoWay(t *testing.T) {
	s := configured()
	s.CollectorNamespace = ""
	if _, there := policies(s)["kora-collector"]; there {
		t.Error("a way to no namespace")
	}
}
