package settings

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
)

// CollectorPort is the TCP port of the telemetry's endpoint, as the chart reads
// it (R28); 0 where there is none.
func (s Settings) CollectorPort() (int, error) {
	endpoint := s.Observability.OTLPEndpoint
	if endpoint == "" {
		return 0, nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return 0, errors.New("it is no URL with a host")
	}
	switch port := u.Port(); {
	case port != "":
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 {
			return 0, fmt.Errorf("%s is no port", port)
		}
		return int(number), nil
	case u.Scheme == "https":
		return 443, nil
	}
	return 80, nil
}

// CollectorAddress is the telemetry's endpoint where that is an address and no
// name, else the zero one.
func (s Settings) CollectorAddress() netip.Addr {
	u, err := url.Parse(s.Observability.OTLPEndpoint)
	if err != nil {
		return netip.Addr{}
	}
	at, _ := netip.ParseAddr(u.Hostname())
	return at.Unmap().WithZone("")
}
