package registry

import (
	"net/netip"

	"golang.org/x/net/publicsuffix"
)

// reach is how far connections to one host may go.
type reach int

const (
	// elsewhere is a host that only an answer named: where a blob is redirected to,
	// or where tokens are had. Public addresses alone.
	elsewhere reach = iota
	// asked is the image's own registry, and hosts of its domain: private networks too.
	asked
	// chosen is a mirror: what an administrator named.
	chosen
	// here is a mirror whose name is the machine's own: loopback too.
	here
)

// special are networks that are neither public nor a place for a registry.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("100.100.100.200/32"), // metadata of a cloud, in shared address space
	netip.MustParsePrefix("168.63.129.16/32"),   // of a third, among public ones
	netip.MustParsePrefix("fd00:ec2::/32"),      // and of another, among private addresses
	netip.MustParsePrefix("2001::/32"),          // Teredo, which holds an IPv4 address in a cipher
	netip.MustParsePrefix("fe00::/8"),           // reserved, link-local and site-local
	netip.MustParsePrefix("::ffff:0:0:0/96"),    // an IPv4 address by a translator that nobody has
	netip.MustParsePrefix("64:ff9b:1::/48"),     // and by one that a network chose: where in it, nobody can tell
}

// internal are networks that are not public besides the private ones.
var internal = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("198.18.0.0/15"),
}

// embedding are IPv6 networks whose addresses hold an IPv4 address, from so many bytes
// on: it is where a connection may end.
var embedding = []struct {
	network netip.Prefix
	at      int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12}, {netip.MustParsePrefix("2002::/16"), 2}, {netip.MustParsePrefix("::/96"), 12},
}

// inner is the IPv4 address in another, and otherwise the address.
func inner(addr netip.Addr) netip.Addr {
	addr = addr.WithZone("").Unmap()
	for _, e := range embedding {
		if addr.Is6() && e.network.Contains(addr) && addr != netip.IPv6Loopback() {
			bytes := addr.As16()
			return netip.AddrFrom4([4]byte(bytes[e.at:]))
		}
	}
	return addr
}

// admits reports whether a connection may go to an address. Link-local addresses,
// where clouds serve metadata and credentials, are never reached (R52).
func (r reach) admits(addr netip.Addr) bool {
	addr = inner(addr)
	switch {
	case !addr.IsValid(), addr.IsUnspecified(), addr.IsMulticast(), addr.IsLinkLocalUnicast(), within(special, addr):
		return false
	case addr.IsLoopback():
		return r == here
	case addr.IsPrivate(), within(internal, addr):
		return r != elsewhere
	}
	return true
}

func within(networks []netip.Prefix, addr netip.Addr) bool {
	for _, n := range networks {
		if n.Contains(addr) {
			return true
		}
	}
	return false
}

// sameSite reports whether two hosts belong to one registered domain, as a
// registry and its token service do.
func sameSite(a, b string) bool {
	if a == b {
		return true
	}
	if _, err := netip.ParseAddr(a); err == nil {
		return false
	}
	one, errOne := publicsuffix.EffectiveTLDPlusOne(a)
	other, errOther := publicsuffix.EffectiveTLDPlusOne(b)
	return errOne == nil && errOther == nil && one == other
}
