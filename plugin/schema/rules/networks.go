package rules

import (
	"fmt"
	"net/netip"
	"regexp"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// networks are blocks of addresses, which the schema knows by their looks alone (R25).
func (j *judge) networks() {
	for i, item := range items(j.tree.Get("networkPolicy", "externalServices")) {
		j.network(item.Get("cidr"), fields.Path("networkPolicy.externalServices").Index(i).Child("cidr"))
	}
	for i, item := range items(j.tree.Get("networkPolicy", "kubernetesApiCidrs")) {
		j.network(item, fields.Path("networkPolicy.kubernetesApiCidrs").Index(i))
	}
}

// collectors are blocks of addresses that agents may reach, and never all there are:
// the operator starts with no such setting (R28).
func (j *judge) collectors(list *source.Node, at fields.Path) {
	for i, item := range items(list) {
		if item.Tag == "!!str" && all.MatchString(item.Value) {
			f := item.Pos.Fault(faults.BadValue, fmt.Sprintf("%.80q is not the block of addresses of a collector", item.Value))
			f.Field, f.Found = string(at.Index(i)), fmt.Sprintf("the text %.80q", item.Value)
			f.Expected, f.Fix = "a block of addresses such as 203.0.113.0/28", "write it as 203.0.113.0/28, and never as all addresses"
			j.refuse(f)
			continue
		}
		j.network(item, at.Index(i))
	}
}

// all addresses there are.
var all = regexp.MustCompile(`/0$`)

func (j *judge) network(n *source.Node, at fields.Path) {
	if n == nil || n.Kind != source.Scalar || n.Tag != "!!str" {
		return
	}
	message, expected, fix := badNetwork(n.Value)
	if message == "" {
		return
	}
	f := n.Pos.Fault(faults.BadValue, fmt.Sprintf("%.80q ", n.Value)+message)
	f.Field, f.Found = string(at), fmt.Sprintf("the text %.80q", n.Value)
	f.Expected, f.Fix = expected, fix
	j.refuse(f)
}

// badNetwork says what is wrong with a block of addresses, nothing where it is
// one: an address of its own in it is refused, because newer API servers warn of
// it and it hides which addresses are meant, and so is IPv4 in the form of IPv6,
// which networks read differently.
func badNetwork(text string) (message, expected, fix string) {
	p, err := netip.ParsePrefix(text)
	switch {
	case err != nil:
		return "is not a block of addresses, such as 10.20.0.0/24 or 2001:db8::/32", "a block of addresses such as 10.20.0.0/24",
			"write the address and the length of its prefix; one address alone has /32, or /128 in IPv6"
	case p.Addr().Is4In6():
		message = "is a block of IPv4 in the form of IPv6"
		if p.Bits() < 96 {
			return message, "a block of IPv4", "write the network in IPv4, such as 10.0.0.0/8"
		}
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96).Masked()
		return message, p.String(), "write " + p.String()
	case p.Addr() != p.Masked().Addr():
		expected = p.Masked().String()
		return "is an address in a network and not the network", expected,
			fmt.Sprintf("write %s, or %s/%d for the one address", expected, p.Addr(), p.Addr().BitLen())
	}
	return "", "", ""
}

// address is a host whose last part is a number, which every reader of URLs takes
// for an address.
var address = regexp.MustCompile(`^([0-9a-z-]+\.)*[0-9]+$`)

// host: the two certificates and api.<frontendHost> need a name (R21).
func (j *judge) host() {
	n := j.tree.Get("frontendHost")
	if n == nil || n.Tag != "!!str" || !address.MatchString(n.Value) {
		return
	}
	f := n.Pos.Fault(faults.BadValue, fmt.Sprintf("%.80q is an address and not the name of a host", n.Value))
	f.Field, f.Found = "frontendHost", fmt.Sprintf("the text %.80q", n.Value)
	f.Expected, f.Fix = "a name such as example.com", "write a name that DNS knows, such as example.com"
	j.refuse(f)
}

// mountPort: the node agent listens on its nodes, where others listen too (R31).
func (j *judge) mountPort() {
	n := j.tree.Get("sandboxMount", "port")
	port, ok := whole(n)
	if !ok || port < 1 || port > 65535 {
		return // of the wrong type or range, as others say
	}
	message := ""
	if owner := HostPorts()[port]; owner != "" {
		message = fmt.Sprintf("the port %d of a node belongs to %s", port, owner)
	}
	if port < 1024 {
		message = fmt.Sprintf("the port %d is one of those that a node keeps for itself", port)
	}
	if message == "" {
		return
	}
	f := n.Pos.Fault(faults.BadValue, message)
	f.Field, f.Found = "sandboxMount.port", fmt.Sprintf("the number %d", port)
	f.Expected, f.Fix = "a free port of the nodes", "use a free port of the nodes from 1024 on, such as 20490"
	j.refuse(f)
}

// HostPorts are what a node of Kubernetes listens on, as kora.hostPorts of the
// chart's templates has it.
func HostPorts() map[int64]string {
	return map[int64]string{
		2379: "etcd", 2380: "etcd", 6443: "the Kubernetes API",
		10248: "the kubelet", 10250: "the kubelet", 10255: "the kubelet",
		10249: "kube-proxy", 10256: "kube-proxy", 10257: "kube-controller-manager", 10259: "kube-scheduler",
	}
}
