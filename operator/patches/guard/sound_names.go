package guard

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

// What a resolver takes at most.
const (
	maxServers    = 3
	maxSearches   = 32
	maxSearchText = 2048
)

func (c *checker) dns(at fields.Path, s *corev1.PodSpec) {
	for i, a := range s.HostAliases {
		at := at.Child("hostAliases").Index(i)
		c.address(at.Child("ip"), a.IP)
		for j, h := range a.Hostnames {
			c.must(at.Child("hostnames").Index(j), h, validation.IsDNS1123Subdomain)
		}
	}
	if s.DNSConfig != nil {
		c.resolver(at.Child("dnsConfig"), s.DNSConfig)
	}
	if s.DNSPolicy == corev1.DNSNone && (s.DNSConfig == nil || len(s.DNSConfig.Nameservers) == 0) {
		c.unsound(at.Child("dnsPolicy"), "without name servers of its own a pod needs the cluster's", "None", "dnsConfig.nameservers", "set dnsConfig.nameservers")
	}
}

func (c *checker) resolver(at fields.Path, d *corev1.PodDNSConfig) {
	for i, server := range d.Nameservers {
		c.address(at.Child("nameservers").Index(i), server)
	}
	for i, o := range d.Options {
		c.needs(at.Child("options").Index(i).Child("name"), o.Name, "the option has no name")
	}
	if len(d.Nameservers) > maxServers {
		c.unsound(at.Child("nameservers"), "a pod has at most 3 name servers", strconv.Itoa(len(d.Nameservers)), "at most 3", "")
	}
	for i, name := range d.Searches {
		if name != "." {
			c.must(at.Child("searches").Index(i), strings.TrimSuffix(name, "."), validation.IsDNS1123SubdomainWithUnderscore)
		}
	}
	c.most(at.Child("searches"), len(d.Searches), maxSearches)
	if n := len(strings.Join(d.Searches, " ")); n > maxSearchText {
		c.unsound(at.Child("searches"), "the domains are too long", strconv.Itoa(n), fmt.Sprintf("at most %d characters in all", maxSearchText), "leave some out")
	}
}

// address is an IP address in its one form: without a zone, and of IPv4 not as IPv6.
func (c *checker) address(at fields.Path, ip string) {
	if a, err := netip.ParseAddr(ip); err != nil || a.Zone() != "" || a.Is4In6() {
		c.unsound(at, "not an IP address", ip, "such as 192.0.2.10", "")
	}
}

const maxHostname = 64

// hosts are what a pod says of its own name, and what it shares with its node.
func (c *checker) hosts(at fields.Path, s *corev1.PodSpec) {
	if name := s.HostnameOverride; name != nil {
		at := at.Child("hostnameOverride")
		c.must(at, *name, validation.IsDNS1123Subdomain)
		if len(*name) > maxHostname {
			c.unsound(at, "the name is too long", *name, fmt.Sprintf("at most %d characters", maxHostname), "")
		}
		if s.HostNetwork || s.SetHostnameAsFQDN != nil && *s.SetHostnameAsFQDN {
			c.unsound(at, "the pod has its name from elsewhere", *name, "(none)", "leave it out, or hostNetwork and setHostnameAsFQDN")
		}
	}
	for field, is := range map[string]bool{"hostPID": s.HostPID, "hostIPC": s.HostIPC} {
		if is && s.HostUsers != nil && !*s.HostUsers {
			c.unsound(at.Child(field), "it does not go with users of the pod's own", "true", "false", "leave it out, or hostUsers")
		}
	}
	if share := s.ShareProcessNamespace; share != nil && *share && s.HostPID {
		c.unsound(at.Child("shareProcessNamespace"), "it does not go with hostPID", "true", "false", "leave one of the two out")
	}
	c.hostPorts(at, s)
}

// hostPorts: each port of the node is one container's, and in the node's network the
// container's own. Init containers run one by one.
func (c *checker) hostPorts(at fields.Path, s *corev1.PodSpec) {
	taken := map[string]bool{}
	for i := range s.Containers {
		c.portsOfNode(at.Child("containers").Index(i), &s.Containers[i], taken)
	}
	for i := range s.InitContainers {
		c.portsOfNode(at.Child("initContainers").Index(i), &s.InitContainers[i], map[string]bool{})
	}
}

func (c *checker) portsOfNode(at fields.Path, in *corev1.Container, taken map[string]bool) {
	for i, p := range in.Ports {
		at, port := at.Child("ports").Index(i).Child("hostPort"), p.HostPort
		if port == 0 && c.spec.HostNetwork {
			port = p.ContainerPort
		}
		if c.spec.HostNetwork && port != p.ContainerPort && !c.starts(in) {
			c.unsound(at, "in the node's network a port is the container's own", fmt.Sprint(port), fmt.Sprint(p.ContainerPort), "leave it out")
		}
		key := fmt.Sprint(protocol(p.Protocol), "/", p.HostIP, "/", port)
		if port != 0 && taken[key] {
			c.unsound(at, "two ports of the node that are one", key, "each once", "remove one of the two")
		}
		taken[key] = true
	}
}
