package admit

import (
	"fmt"
	"math"
	"net"
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	netutils "k8s.io/utils/net"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) networkPolicy(s *networkingv1.NetworkPolicySpec) {
	c.selector("spec.podSelector", &s.PodSelector)
	for i, rule := range s.Ingress {
		at := fields.Path("spec.ingress").Index(i)
		c.policyPorts(at.Child("ports"), rule.Ports)
		c.peers(at.Child("from"), rule.From)
	}
	for i, rule := range s.Egress {
		at := fields.Path("spec.egress").Index(i)
		c.policyPorts(at.Child("ports"), rule.Ports)
		c.peers(at.Child("to"), rule.To)
	}
}

func (c *checker) policyPorts(at fields.Path, all []networkingv1.NetworkPolicyPort) {
	for i, p := range all {
		at := at.Index(i)
		if p.Port != nil {
			c.port(at.Child("port"), *p.Port)
		}
		switch {
		case p.EndPort == nil:
		case p.Port == nil || p.Port.Type == intstr.String:
			c.add(at.Child("endPort"), "a range of ports begins with a number", *p.EndPort, "(none), or a port that is a number")
		case *p.EndPort < p.Port.IntVal:
			c.add(at.Child("endPort"), "the range ends before it begins", *p.EndPort, fmt.Sprintf("%d or more", p.Port.IntVal))
		}
	}
}

func (c *checker) peers(at fields.Path, all []networkingv1.NetworkPolicyPeer) {
	for i, p := range all {
		at := at.Index(i)
		c.selector(at.Child("podSelector"), p.PodSelector)
		c.selector(at.Child("namespaceSelector"), p.NamespaceSelector)
		pods := p.PodSelector != nil || p.NamespaceSelector != nil
		switch {
		case p.IPBlock == nil && !pods:
			c.add(at, "a peer is pods, namespaces or a block of addresses", "", "podSelector, namespaceSelector or ipBlock")
		case p.IPBlock != nil && pods:
			c.add(at, "a peer is pods, or a block of addresses", "both", "one of the two")
		case p.IPBlock != nil:
			c.block(at.Child("ipBlock"), p.IPBlock)
		}
	}
}

func (c *checker) block(at fields.Path, b *networkingv1.IPBlock) {
	whole := c.cidr(at.Child("cidr"), b.CIDR)
	for i, text := range b.Except {
		at := at.Child("except").Index(i)
		less := c.cidr(at, text)
		if whole == nil || less == nil {
			continue
		}
		most, _ := whole.Mask.Size()
		if bits, _ := less.Mask.Size(); !whole.Contains(less.IP) || bits <= most {
			c.add(at, "only a part of the block can be taken out of it", text, "within "+b.CIDR)
		}
	}
}

// cidr reads a block of addresses as the API server does, nil where it is none.
func (c *checker) cidr(at fields.Path, text string) *net.IPNet {
	_, block, err := netutils.ParseCIDRSloppy(text)
	if err != nil {
		c.add(at, "this is no block of addresses", text, "such as 10.20.0.0/24")
		return nil
	}
	if c.newer && block.String() != text {
		if exact, err := netip.ParsePrefix(text); err != nil || exact != exact.Masked() || exact.Addr().Is4In6() {
			c.add(at, "this is no network: it has bits of an address, or leading zeros", text, block.String())
		}
	}
	return block
}

func (c *checker) selector(at fields.Path, s *metav1.LabelSelector) {
	if s == nil {
		return
	}
	if _, err := metav1.LabelSelectorAsSelector(s); err != nil {
		c.add(at, "the API server takes no such selector: "+err.Error(), metav1.FormatLabelSelector(s), "")
	}
}

// port is a number, or the name of a container's port.
func (c *checker) port(at fields.Path, v intstr.IntOrString) {
	if v.Type == intstr.String {
		c.must(at, v.StrVal, validation.IsValidPortName)
		return
	}
	c.between(at, int64(v.IntVal), 1, math.MaxUint16)
}

func (c *checker) service(s *corev1.ServiceSpec) {
	const ports = fields.Path("spec.ports")
	switch {
	case s.Type == corev1.ServiceTypeExternalName:
		c.must("spec.externalName", strings.TrimSuffix(s.ExternalName, "."), validation.IsDNS1123Subdomain)
	case len(s.Ports) == 0 && s.ClusterIP != corev1.ClusterIPNone:
		c.add(ports, "a Service has a port", "", "at least one, or clusterIP: None")
	}
	var names, numbers []string
	for i, p := range s.Ports {
		at := ports.Index(i)
		number := fmt.Sprintf("%d/%s", p.Port, max(string(p.Protocol), ""))
		if p.Protocol == "" {
			number += "TCP"
		}
		c.between(at.Child("port"), int64(p.Port), 1, math.MaxUint16)
		if p.TargetPort != (intstr.IntOrString{}) {
			c.port(at.Child("targetPort"), p.TargetPort)
		}
		switch {
		case p.Name == "" && len(s.Ports) > 1:
			c.add(at.Child("name"), "of several ports each has a name", "", "a name")
		case p.Name != "":
			c.must(at.Child("name"), p.Name, validation.IsDNS1123Label)
		}
		if p.Name != "" && slices.Contains(names, p.Name) {
			c.add(at.Child("name"), "two ports of one name", p.Name, "each once")
		}
		if slices.Contains(numbers, number) {
			c.add(at, "two ports of one number and protocol", number, "each once")
		}
		if inside := s.Type == "" || s.Type == corev1.ServiceTypeClusterIP; inside && p.NodePort != 0 {
			c.add(at.Child("nodePort"), "a Service that is reached inside the cluster alone has no port on nodes", p.NodePort, "(none), or type: NodePort")
		}
		names, numbers = append(names, p.Name), append(numbers, number)
	}
	c.outside(s)
}

// outside is what only a Service that is reached from outside may have.
func (c *checker) outside(s *corev1.ServiceSpec) {
	balanced := s.Type == corev1.ServiceTypeLoadBalancer
	for name, set := range map[string]bool{
		"loadBalancerClass": s.LoadBalancerClass != nil, "loadBalancerSourceRanges": len(s.LoadBalancerSourceRanges) > 0,
		"allocateLoadBalancerNodePorts": s.AllocateLoadBalancerNodePorts != nil,
	} {
		if set && !balanced {
			c.add(fields.Path("spec").Child(name), "this is for a Service of type LoadBalancer", "type: "+string(s.Type), "type: LoadBalancer")
		}
	}
	for i, cidr := range s.LoadBalancerSourceRanges {
		if balanced {
			c.cidr(fields.Path("spec.loadBalancerSourceRanges").Index(i), strings.TrimSpace(cidr))
		}
	}
	if node := balanced || s.Type == corev1.ServiceTypeNodePort; s.ExternalTrafficPolicy != "" && !node && len(s.ExternalIPs) == 0 {
		c.add("spec.externalTrafficPolicy", "this is for a Service that is reached from outside the cluster", s.ExternalTrafficPolicy, "(none)")
	}
}
