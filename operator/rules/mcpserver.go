package rules

import (
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// MCPServer gives the faults of a set of tools (R51).
func MCPServer(s *v1alpha1.MCPServer) field.ErrorList {
	spec := field.NewPath("spec")
	faults := external(spec.Child("url"), s.Spec.URL)
	if s.Spec.ConnectionRef != nil && s.Spec.URL != "" && PortOf(s.Spec.URL) != 443 {
		faults = append(faults, invalid(spec.Child("url"), s.Spec.URL, "names another port than 443, and a Connection reaches its hosts on 443 alone; leave out the port, or connectionRef"))
	}
	if s.Spec.ServiceRef != nil {
		faults = append(faults, servicePath(spec.Child("serviceRef", "path"), s.Spec.ServiceRef.Path)...)
	}
	return faults
}

func servicePath(at *field.Path, path string) field.ErrorList {
	if path == "" {
		return nil
	}
	decoded, err := url.PathUnescape(path)
	switch {
	case err != nil:
		return field.ErrorList{invalid(at, path, "cannot be read: each '%%' must be followed by two hexadecimal digits")}
	case hasDots(decoded):
		return field.ErrorList{invalid(at, path, "has a '.' or '..' segment, plain or as %%2e; write the path that is meant")}
	case strings.HasPrefix(path, "//"):
		return field.ErrorList{invalid(at, path, "begins with two '/', which reads as a host; write one")}
	}
	return nil
}

// ConnectionOf gives the fault of an MCPServer whose Connection does not admit its
// URL's host: the gateway would refuse every call (R51).
func ConnectionOf(s *v1alpha1.MCPServer, c *v1alpha1.Connection) field.ErrorList {
	host := HostOf(s.Spec.URL)
	if host == "" || Admits(c.Spec.Hosts, host) {
		return nil
	}
	return field.ErrorList{invalid(field.NewPath("spec", "connectionRef", "name"), c.Name,
		"its hosts do not admit %s, the host of spec.url; add it to spec.hosts of the Connection %s, or name another Connection", host, c.Name)}
}
