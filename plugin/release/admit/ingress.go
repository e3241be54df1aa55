package admit

import (
	"math"
	"net/netip"
	"slices"
	"strings"

	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/fields"
)

func (c *checker) ingress(s *networkingv1.IngressSpec) {
	if len(s.Rules) == 0 && s.DefaultBackend == nil {
		c.add("spec", "an Ingress leads somewhere", "", "rules or defaultBackend")
	}
	if s.DefaultBackend != nil {
		c.backend("spec.defaultBackend", s.DefaultBackend)
	}
	if s.IngressClassName != nil {
		c.must("spec.ingressClassName", *s.IngressClassName, validation.IsDNS1123Subdomain)
	}
	for i, t := range s.TLS {
		for j, host := range t.Hosts {
			c.host(fields.Path("spec.tls").Index(i).Child("hosts").Index(j), host)
		}
	}
	for i, rule := range s.Rules {
		at := fields.Path("spec.rules").Index(i)
		if rule.Host != "" {
			c.host(at.Child("host"), rule.Host)
		}
		if rule.HTTP == nil {
			continue
		}
		if len(rule.HTTP.Paths) == 0 {
			c.add(at.Child("http").Child("paths"), "a rule has a path", "", "at least one")
		}
		for j, p := range rule.HTTP.Paths {
			c.path(at.Child("http").Child("paths").Index(j), p)
		}
	}
}

func (c *checker) path(at fields.Path, p networkingv1.HTTPIngressPath) {
	if p.PathType == nil {
		c.add(at.Child("pathType"), "a path says how it is matched", "", "Prefix, Exact or ImplementationSpecific")
	} else if *p.PathType != networkingv1.PathTypeImplementationSpecific && !strings.HasPrefix(p.Path, "/") {
		c.add(at.Child("path"), "a path begins with a slash", p.Path, "such as /")
	}
	c.backend(at.Child("backend"), &p.Backend)
}

func (c *checker) backend(at fields.Path, b *networkingv1.IngressBackend) {
	switch s := b.Service; {
	case s != nil && b.Resource != nil, s == nil && b.Resource == nil:
		c.add(at, "a backend is a Service or a resource", "", "service, with its name and port")
	case s == nil:
	case s.Name == "":
		c.add(at.Child("service").Child("name"), "the Service has a name", "", "a name")
	default:
		c.must(at.Child("service").Child("name"), s.Name, serviceName(c.newer))
		switch port := at.Child("service").Child("port"); {
		case (s.Port.Name == "") == (s.Port.Number == 0):
			c.add(port, "the port has a name or a number", "", "one of the two")
		case s.Port.Number != 0:
			c.between(port.Child("number"), int64(s.Port.Number), 1, math.MaxUint16)
		default:
			c.must(port.Child("name"), s.Port.Name, validation.IsValidPortName)
		}
	}
}

// host is a name, perhaps of all below it, and no address.
func (c *checker) host(at fields.Path, host string) {
	if _, err := netip.ParseAddr(host); err == nil {
		c.add(at, "a host is a name, not an address", host, "such as app.example.com")
		return
	}
	rule := validation.IsDNS1123Subdomain
	if strings.Contains(host, "*") {
		rule = validation.IsWildcardDNS1123Subdomain
	}
	c.must(at, host, rule)
}

// oneOf is a word among a few.
func (c *checker) oneOf(at fields.Path, message, word string, words ...string) {
	if !slices.Contains(words, word) {
		c.add(at, message, word, strings.Join(words, " or "))
	}
}
