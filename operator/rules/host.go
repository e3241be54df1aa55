package rules

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ofClouds are the clouds' metadata services, which give out a node's credentials, and
// the domains in which they name nodes: Google's, Amazon's, Azure's, Oracle's, Tencent's
// and IBM's.
func ofClouds() []string {
	return []string{"metadata.google.internal", "metadata.goog", "c.internal",
		"compute.internal", "ec2.internal",
		"metadata.azure.internal", "internal.cloudapp.net",
		"oraclevcn.com", "metadata.tencentyun.com", "metadata.cloud.ibm.com"}
}

// machines refuses hosts that are a machine's own: no agent, nor what reads for one,
// ever gets there. A wildcard is refused that stands for one of them.
func machines(at *field.Path, text, host string) field.ErrorList {
	below := strings.TrimPrefix(host, "*.")
	own := ""
	for _, name := range ofClouds() {
		parent := strings.HasSuffix(name, "."+below) && (below != host || strings.HasSuffix(name, ".internal"))
		if below == name || strings.HasSuffix(below, "."+name) || parent {
			own = name
		}
	}
	if own == "" && ofProject(host) {
		own = "c.<project>.internal"
	}
	if own == "" {
		return nil
	}
	return field.ErrorList{invalid(at, text, "reaches %s, a cloud's metadata service or the names of its nodes, which agents never get; name the service that is meant", own)}
}

// ofProject reports whether a host is a node's of a Google project, as in
// NODE.ZONE.c.PROJECT.internal, or a wildcard that stands for such.
func ofProject(host string) bool {
	labels := strings.Split(host, ".")
	last := len(labels) - 1
	if labels[last] != "internal" {
		return false
	}
	return slices.Contains(labels[:last], "c") || labels[0] == "*" && last == 2
}

// private are the domains at the top that networks give to their own names (RFC 6762,
// appendix G), and Active Directory's.
func private() []string {
	return []string{"corp", "home", "internal", "intranet", "lan", "local", "private"}
}

// outside refuses hosts that a resolver in the cluster completes to something inside:
// it tries <service>.<namespace> and a pod's <pod>.<service>.<namespace> in the cluster's
// domain first. So a host ends in a top-level domain of the public list, or in one of
// those of private networks with two labels before it. No namespace is looked at: what is
// refused is the same in every cluster, and whoever makes a namespace changes nothing.
func outside(at *field.Path, text, host string) field.ErrorList {
	if faults := machines(at, text, host); len(faults) > 0 {
		return faults
	}
	labels := strings.Split(strings.TrimPrefix(host, "*."), ".")
	top := labels[len(labels)-1]
	switch suffix, listed := publicsuffix.PublicSuffix(strings.Join(labels, ".")); {
	case len(labels) > 1 && (listed || strings.Contains(suffix, ".")):
		return nil
	case len(labels) > 2 && slices.Contains(private(), top):
		return nil
	}
	return field.ErrorList{invalid(at, text, "names %s, which is a name of the cluster's own wherever %q is a namespace: it ends in no public top-level domain; write the whole name of a host outside of the cluster", host, top)}
}
