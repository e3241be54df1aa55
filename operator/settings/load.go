package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

// Folder is where the chart mounts the modules.
const Folder = "/etc/kora/config"

// Load reads the modules of a mounted folder. A key that the operator does not
// know and a value that it cannot use are errors, all of them at once: the chart
// checks the same at render time (R23).
func Load(folder fs.FS) (Settings, error) {
	var s Settings
	err := errors.Join(
		module(folder, "internal/operator", &s.Operator),
		module(folder, "internal/platform/identity", &s.Identity),
		module(folder, "internal/platform/mesh", &s.Mesh),
		module(folder, "internal/platform/observability", &s.Observability),
	)
	if err != nil {
		return Settings{}, err
	}
	return s, s.validate()
}

func module(folder fs.FS, name string, into any) error {
	text, err := fs.ReadFile(folder, name+".yaml")
	if err != nil {
		return fmt.Errorf("config module %s: %w", name, err)
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		return fmt.Errorf("config module %s: %w", name, err)
	}
	return nil
}

func (s Settings) validate() error {
	var found []error
	refuse := func(key, format string, args ...any) {
		found = append(found, fmt.Errorf("%s: "+format, append([]any{key}, args...)...))
	}
	for _, message := range validation.IsDNS1123Label(s.SystemNamespace) {
		refuse("internal/operator systemNamespace", "%q: %s", s.SystemNamespace, message)
	}
	if period, err := time.ParseDuration(s.SyncPeriod); err != nil || period < time.Second {
		refuse("internal/operator syncPeriod", "%q is no duration of at least 1s, such as 10m", s.SyncPeriod)
	}
	if s.LeaderElection.Enabled && s.LeaderElection.Name == "" {
		refuse("internal/operator leaderElection.name", "empty: name the Lease, kora-operator in the chart")
	}
	for key, port := range map[string]int{"webhooks": s.Ports.Webhooks, "probes": s.Ports.Probes, "metrics": s.Ports.Metrics} {
		if port < 0 || port > 65535 {
			refuse("internal/operator ports."+key, "%d is no port", port)
		}
	}
	for i, cidr := range s.CollectorCIDRs {
		if p, err := netip.ParsePrefix(cidr); err != nil || p.Bits() == 0 {
			refuse(fmt.Sprintf("internal/operator collectorCIDRs[%d]", i), "%q is not the block of addresses of a collector: write it as 203.0.113.0/28, and never as all addresses", cidr)
		}
	}
	if port, err := s.CollectorPort(); err != nil {
		refuse("internal/platform/observability otlpEndpoint", "%v", err)
	} else if s.SandboxMount.Enabled && slices.Contains([]int{DNSPort, MeshPort, GatewayPort, SessionManagerPort, port}, s.SandboxMount.Port) {
		refuse("internal/operator sandboxMount.port", "%d is a port that agents must reach, and the NFS port is one that they never may: choose another, such as 20490", s.SandboxMount.Port)
	}
	return errors.Join(found...)
}

// CollectorPort is the TCP port of the telemetry's endpoint, as the chart reads
// it (R28); 0 where there is none.
func (s Settings) CollectorPort() (int, error) {
	endpoint := s.Observability.OTLPEndpoint
	if endpoint == "" {
		return 0, nil
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return 0, errors.New("not a URL: write it as http://host:port")
	}
	switch port := u.Port(); {
	case port != "":
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 {
			return 0, fmt.Errorf("%s is no port: write it as http://host:port", port)
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
