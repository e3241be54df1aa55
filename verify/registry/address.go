package registry

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// inner are the ranges beyond those that net/netip names: carriers' own, in
// which one cloud keeps its metadata, and "this network".
var inner = []netip.Prefix{netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("fec0::/10")}

// translated is how IPv6 networks write an address of IPv4.
var translated = netip.MustParsePrefix("64:ff9b::/96")

// public reports whether an address is one that anybody could reach.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if translated.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsValid() || a.IsPrivate() || a.IsLoopback() || a.IsUnspecified() || a.IsMulticast() || a.IsLinkLocalUnicast() {
		return false
	}
	for _, p := range inner {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// loopback reports whether a host's name can only mean this machine.
func loopback(hostname string) bool {
	if a, err := netip.ParseAddr(hostname); err == nil {
		return a.Unmap().IsLoopback()
	}
	hostname = strings.ToLower(strings.TrimSuffix(hostname, "."))
	return hostname == "localhost" || strings.HasSuffix(hostname, ".localhost")
}

// sameSite reports whether one party answers for both hosts, as for
// registry-1.docker.io and auth.docker.io. A host without a registrable name
// is only the same as itself.
func sameSite(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if a == b {
		return true
	}
	if _, err := netip.ParseAddr(a); err == nil {
		return false
	}
	sa, errA := publicsuffix.EffectiveTLDPlusOne(a)
	sb, errB := publicsuffix.EffectiveTLDPlusOne(b)
	return errA == nil && errB == nil && sa == sb
}

// authority is host and port of a URL, the port always given.
func authority(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}
