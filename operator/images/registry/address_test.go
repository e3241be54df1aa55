package registry

import (
	"net/netip"
	"testing"
)

// R52: whatever form an address has, a connection that may end where no registry is goes
// nowhere, and one to a private network only to a host that the image or a mirror names.
func TestAddressesThatARegistryMayHave(t *testing.T) {
	const nobody = here + 1
	for text, least := range map[string]reach{
		"93.184.216.34": elsewhere, "2606:2800:220:1::1": elsewhere, "64:ff9b::5db8:d822": elsewhere, "2002:5db8:d822::1": elsewhere, "::ffff:93.184.216.34": elsewhere,
		"10.96.0.1": asked, "192.168.1.1": asked, "100.64.0.1": asked, "fd12::1": asked, "::10.96.0.1": asked, "2002:a60:1::1": asked, "64:ff9b::a60:1": asked, "::ffff:10.96.0.1": asked,
		"127.0.0.1": here, "::1": here, "::127.0.0.1": here, "::ffff:127.0.0.1": here, "2002:7f00:1::1": here,
		"169.254.169.254": nobody, "::169.254.169.254": nobody, "::ffff:169.254.169.254": nobody, "2002:a9fe:a9fe::1": nobody, "64:ff9b::a9fe:a9fe": nobody,
		"64:ff9b:1::a9fe:a9fe": nobody, "64:ff9b:1::5db8:d822": nobody, "::ffff:0:169.254.169.254": nobody, "2001:0:a9fe:a9fe::1": nobody,
		"fe80::1": nobody, "fe80::1%eth0": nobody, "fec0::1": nobody, "ff02::1": nobody, "224.0.0.1": nobody, "255.255.255.255": nobody, "0.0.0.0": nobody, "::": nobody,
		"168.63.129.16": nobody, "100.100.100.200": nobody, "fd00:ec2::254": nobody, "2002:a83f:8110::1": nobody,
	} {
		for r := elsewhere; r <= here; r++ {
			if r.admits(netip.MustParseAddr(text)) != (r >= least) {
				t.Errorf("%s: reach %d is admitted: %v", text, r, r < least)
			}
		}
	}
	if here.admits(netip.Addr{}) {
		t.Error("no address is admitted")
	}
}
