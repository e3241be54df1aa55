package agents

import (
	"slices"
	"strings"
)

// Network reports whether an annotation's key is one by which a plugin of the node
// gives a pod more networks, or addresses of its own choice: neither a policy of the
// tenant nor a sidecar sees what goes there. What plugins write of a pod's network
// stands under other names.
func Network(key string) bool {
	domain, name, _ := strings.Cut(key, "/")
	switch strings.ToLower(domain) {
	case "k8s.v1.cni.cncf.io":
		return name == "networks"
	case "v1.multus-cni.io":
		return name == "default-network"
	case "cni.projectcalico.org":
		return slices.Contains([]string{"ipAddrs", "ipAddrsNoIpam", "floatingIPs", "hwAddr", "allowedSourcePrefixes", "ipv4pools", "ipv6pools"}, name)
	}
	return false
}

// SystemClass reports whether a priority class is the cluster's own, before which
// every other pod makes room.
func SystemClass(name string) bool { return strings.HasPrefix(name, "system-") }
