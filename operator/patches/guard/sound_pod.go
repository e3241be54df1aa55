package guard

import (
	"fmt"
	"math"
	"net/netip"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

// soundPod judges a pod; claims are the volumes that a StatefulSet adds to it.
func (c *checker) soundPod(at fields.Path, s *corev1.PodSpec, claims []string) {
	c.soundContainers(at, s, claims)
	c.soundVolumes(at.Child("volumes"), s.Volumes)
	c.labelMap(at.Child("nodeSelector"), s.NodeSelector)
	c.tolerations(at.Child("tolerations"), s.Tolerations)
	c.affinity(at.Child("affinity"), s.Affinity)
	c.spreads(at.Child("topologySpreadConstraints"), s.TopologySpreadConstraints)
	c.dns(at, s)
	c.name(at.Child("priorityClassName"), s.PriorityClassName, validation.IsDNS1123Subdomain)
	c.name(at.Child("hostname"), s.Hostname, validation.IsDNS1123Label)
	c.name(at.Child("subdomain"), s.Subdomain, validation.IsDNS1123Label)
	if s.RuntimeClassName != nil {
		c.must(at.Child("runtimeClassName"), *s.RuntimeClassName, validation.IsDNS1123Subdomain)
	}
	if s.SecurityContext != nil {
		between(c, at.Child("securityContext").Child("fsGroup"), s.SecurityContext.FSGroup, 0, math.MaxInt32)
	}
	between(c, at.Child("activeDeadlineSeconds"), s.ActiveDeadlineSeconds, 1, math.MaxInt32)
	if s.Resources != nil {
		for field, list := range map[string]corev1.ResourceList{"limits": s.Resources.Limits, "requests": s.Resources.Requests} {
			c.podAmounts(at.Child("resources").Child(field), list)
		}
	}
	if s.Priority != nil {
		c.unsound(at.Child("priority"), "the cluster computes the number from the class", fmt.Sprint(*s.Priority), "(none)", "set priorityClassName instead")
	}
	for i, g := range s.ReadinessGates {
		c.must(at.Child("readinessGates").Index(i).Child("conditionType"), string(g.ConditionType), validation.IsQualifiedName)
	}
}

func (c *checker) tolerations(at fields.Path, all []corev1.Toleration) {
	for i, t := range all {
		at := at.Index(i)
		c.name(at.Child("key"), t.Key, validation.IsQualifiedName)
		switch {
		case t.Key == "" && t.Operator != corev1.TolerationOpExists:
			c.unsound(at.Child("operator"), "a toleration without a key tolerates with Exists", string(t.Operator), "Exists", "add the key, or set operator: Exists")
		case t.Operator == corev1.TolerationOpExists && t.Value != "":
			c.unsound(at.Child("value"), "Exists takes no value", t.Value, "(none)", "leave the value out, or use operator: Equal")
		case t.Operator == corev1.TolerationOpEqual || t.Operator == "":
			c.must(at.Child("value"), t.Value, validation.IsValidLabelValue)
		}
		if t.TolerationSeconds != nil && t.Effect != corev1.TaintEffectNoExecute {
			c.unsound(at.Child("effect"), "tolerationSeconds go with NoExecute", string(t.Effect), "NoExecute", "set effect: NoExecute, or leave tolerationSeconds out")
		}
	}
}

func (c *checker) spreads(at fields.Path, all []corev1.TopologySpreadConstraint) {
	seen := make([]string, len(all))
	for i, s := range all {
		at := at.Index(i)
		seen[i] = s.TopologyKey + " " + string(s.WhenUnsatisfiable)
		atLeast(c, at.Child("maxSkew"), &s.MaxSkew, 1)
		if c.needs(at.Child("topologyKey"), s.TopologyKey, "the constraint has no topologyKey") {
			c.must(at.Child("topologyKey"), s.TopologyKey, validation.IsQualifiedName)
		}
		c.needs(at.Child("whenUnsatisfiable"), string(s.WhenUnsatisfiable), "the constraint has no whenUnsatisfiable")
		atLeast(c, at.Child("minDomains"), s.MinDomains, 1)
		if s.MinDomains != nil && s.WhenUnsatisfiable != corev1.DoNotSchedule {
			c.unsound(at.Child("minDomains"), "minDomains go with DoNotSchedule", fmt.Sprint(*s.MinDomains), "(none)", "leave it out, or set whenUnsatisfiable: DoNotSchedule")
		}
		c.selector(at.Child("labelSelector"), s.LabelSelector)
	}
	c.twice(at.Index, seen, "two constraints of one topology key and action")
}

func (c *checker) dns(at fields.Path, s *corev1.PodSpec) {
	for i, a := range s.HostAliases {
		at := at.Child("hostAliases").Index(i)
		c.address(at.Child("ip"), a.IP)
		for j, h := range a.Hostnames {
			c.must(at.Child("hostnames").Index(j), h, validation.IsDNS1123Subdomain)
		}
	}
	if d := s.DNSConfig; d != nil {
		for i, server := range d.Nameservers {
			c.address(at.Child("dnsConfig").Child("nameservers").Index(i), server)
		}
		for i, o := range d.Options {
			c.needs(at.Child("dnsConfig").Child("options").Index(i).Child("name"), o.Name, "the option has no name")
		}
		if len(d.Nameservers) > 3 {
			c.unsound(at.Child("dnsConfig").Child("nameservers"), "a pod has at most 3 name servers", strconv.Itoa(len(d.Nameservers)), "at most 3", "")
		}
	}
	if s.DNSPolicy == corev1.DNSNone && (s.DNSConfig == nil || len(s.DNSConfig.Nameservers) == 0) {
		c.unsound(at.Child("dnsPolicy"), "without name servers of its own a pod needs the cluster's", "None", "dnsConfig.nameservers", "set dnsConfig.nameservers")
	}
}

func (c *checker) address(at fields.Path, ip string) {
	if _, err := netip.ParseAddr(ip); err != nil {
		c.unsound(at, "not an IP address", ip, "such as 192.0.2.10", "")
	}
}
