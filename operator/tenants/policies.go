package tenants

import (
	"net/netip"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/settings"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// policies are the specs of a tenant's network policies by name (R25, R28, R50).
// The first closes the namespace; each other one opens one thing, to pods and on
// ports that it names. None names a node's address, and none the NFS port, which
// settings keep apart from these (R31).
func policies(s settings.Settings) map[string]networkingv1.NetworkPolicySpec {
	all := map[string]networkingv1.NetworkPolicySpec{
		"kora-default-deny": {PodSelector: metav1.LabelSelector{}, PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress, networkingv1.PolicyTypeEgress}},
		"kora-dns": egress(metav1.LabelSelector{}, networkingv1.NetworkPolicyEgressRule{
			// The second is where a node's own cache listens, which is no node's address.
			To:    []networkingv1.NetworkPolicyPeer{{NamespaceSelector: &metav1.LabelSelector{}}, {IPBlock: &networkingv1.IPBlock{CIDR: "169.254.20.10/32"}}},
			Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolUDP, settings.DNSPort), port(corev1.ProtocolTCP, settings.DNSPort)},
		}),
		// Without its control plane no sidecar of the mesh starts.
		"kora-mesh": egress(workloads(), to(settings.MeshPort, &metav1.LabelSelector{}, labelled("app", "istiod"))),
		"kora-gateway": egress(workloads(), to(settings.GatewayPort,
			labelled(corev1.LabelMetadataName, s.SystemNamespace), labelled("app", "kora-egress"))),
		"kora-session-managers": {
			PodSelector: *labelled(agents.LabelComponent, agents.ComponentSessionManager),
			PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress},
			Ingress: []networkingv1.NetworkPolicyIngressRule{{
				From:  []networkingv1.NetworkPolicyPeer{{NamespaceSelector: labelled(corev1.LabelMetadataName, s.SystemNamespace), PodSelector: labelled("app.kubernetes.io/part-of", "kora")}},
				Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolTCP, settings.SessionManagerPort)},
			}},
		},
	}
	if rules := collector(s); len(rules) > 0 {
		all["kora-collector"] = egress(workloads(), rules...)
	}
	return all
}

// collector is the way to the telemetry's endpoint, on its port alone: into its
// namespace, or else to the addresses that the chart's external services have on
// that port (R28). Of an endpoint that is an address, only the blocks around it.
func collector(s settings.Settings) []networkingv1.NetworkPolicyEgressRule {
	number, err := s.CollectorPort()
	switch {
	case err != nil || number == 0:
		return nil
	case s.CollectorNamespace != "":
		return []networkingv1.NetworkPolicyEgressRule{to(number, labelled(corev1.LabelMetadataName, s.CollectorNamespace), nil)}
	}
	var peers []networkingv1.NetworkPolicyPeer
	at := s.CollectorAddress()
	for _, cidr := range s.CollectorCIDRs {
		block, err := netip.ParsePrefix(cidr)
		if err != nil || at.IsValid() && !block.Contains(at) {
			continue
		}
		peers = append(peers, networkingv1.NetworkPolicyPeer{IPBlock: &networkingv1.IPBlock{CIDR: cidr}})
	}
	if len(peers) == 0 {
		return nil // no peer at all would be any peer
	}
	return []networkingv1.NetworkPolicyEgressRule{{To: peers, Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolTCP, number)}}}
}

// workloads are the pods of agents and of sandboxes.
func workloads() metav1.LabelSelector {
	return metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{
		Key: agents.LabelComponent, Operator: metav1.LabelSelectorOpIn, Values: []string{agents.ComponentSandbox, agents.ComponentSessionManager}}}}
}

func egress(pods metav1.LabelSelector, rules ...networkingv1.NetworkPolicyEgressRule) networkingv1.NetworkPolicySpec {
	return networkingv1.NetworkPolicySpec{PodSelector: pods, PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeEgress}, Egress: rules}
}

// to leads to one TCP port of some pods in some namespaces.
func to(number int, namespaces, pods *metav1.LabelSelector) networkingv1.NetworkPolicyEgressRule {
	return networkingv1.NetworkPolicyEgressRule{
		To:    []networkingv1.NetworkPolicyPeer{{NamespaceSelector: namespaces, PodSelector: pods}},
		Ports: []networkingv1.NetworkPolicyPort{port(corev1.ProtocolTCP, number)},
	}
}

func port(protocol corev1.Protocol, number int) networkingv1.NetworkPolicyPort {
	at := intstr.FromInt32(int32(number))
	return networkingv1.NetworkPolicyPort{Protocol: &protocol, Port: &at}
}

func labelled(key, value string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{key: value}}
}
