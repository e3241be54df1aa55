package guard

import (
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) soundService(s *corev1.ServiceSpec) {
	c.servicePorts(s.Ports)
	c.inside("spec.loadBalancerClass", s.LoadBalancerClass != nil)
	c.inside("spec.loadBalancerSourceRanges", len(s.LoadBalancerSourceRanges) > 0)
	c.inside("spec.externalTrafficPolicy", s.ExternalTrafficPolicy != "")
	c.inside("spec.healthCheckNodePort", s.HealthCheckNodePort != 0)
	c.inside("spec.allocateLoadBalancerNodePorts", s.AllocateLoadBalancerNodePorts != nil)
	if d := s.TrafficDistribution; d != nil && *d != "PreferClose" && *d != "PreferSameZone" && *d != "PreferSameNode" {
		c.unsound("spec.trafficDistribution", "the API server takes none but a few values here", *d, "PreferClose, PreferSameZone or PreferSameNode", "")
	}
	if a := s.SessionAffinityConfig; a != nil && a.ClientIP != nil && s.SessionAffinity == corev1.ServiceAffinityClientIP {
		between(c, "spec.sessionAffinityConfig.clientIP.timeoutSeconds", a.ClientIP.TimeoutSeconds, 1, 86400)
	}
}

// inside refuses what only a Service that is reached from outside may have.
func (c *checker) inside(at fields.Path, set bool) {
	if set {
		c.unsound(at, "the agent's Service is headless, and this is for Services that are reached from outside the cluster", "it is set", "(none)", "take this field out of the patch")
	}
}

func (c *checker) servicePorts(ports []corev1.ServicePort) {
	names, numbers := make([]string, len(ports)), make([]string, len(ports))
	at := func(i int) fields.Path { return fields.Path("spec.ports").Item("port", fmt.Sprint(ports[i].Port)) }
	for i, p := range ports {
		names[i], numbers[i] = p.Name, fmt.Sprint(p.Port, "/", protocol(p.Protocol))
		between(c, at(i).Child("port"), &p.Port, 1, math.MaxUint16)
		if p.TargetPort != (intstr.IntOrString{}) {
			c.port(at(i).Child("targetPort"), p.TargetPort)
		}
		c.name(at(i).Child("name"), p.Name, validation.IsDNS1123Label)
		if p.Name == "" && len(ports) > 1 {
			c.unsound(at(i).Child("name"), "of several ports each has a name", "(none)", "a name", "add name to the port")
		}
		if p.AppProtocol != nil {
			c.must(at(i).Child("appProtocol"), *p.AppProtocol, validation.IsQualifiedName)
		}
		c.inside(at(i).Child("nodePort"), p.NodePort != 0)
	}
	c.twice(func(i int) fields.Path { return at(i).Child("name") }, names, "two ports of one name")
	c.twice(at, numbers, "two ports of one number and protocol")
}

func protocol(p corev1.Protocol) corev1.Protocol {
	if p == "" {
		return corev1.ProtocolTCP
	}
	return p
}
