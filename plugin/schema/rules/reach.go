package rules

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/settings"
)

// reachable: agents may never reach NFS, so its port is none that they must reach;
// with such a one the operator does not start (R31). It is the operator's own list.
func (j *judge) reachable() {
	enabled, n := j.all.Get("sandboxMount", "enabled"), j.all.Get("sandboxMount", "port")
	port, ok := whole(n)
	if !ok || enabled == nil || enabled.Any() != true || !slices.Contains(j.reached(), port) {
		return
	}
	if port < 1024 || HostPorts()[port] != "" {
		return // as mountPort says
	}
	at := n
	if j.tree.Get("sandboxMount", "port") == nil { // the chart's own
		if at = j.tree.Get("global", "observability", "otlpEndpoint"); at == nil {
			at = enabled
		}
	}
	const path = "sandboxMount.port"
	f := at.Pos.Fault(faults.BadValue, path+" is a port that agents must reach, and the NFS port is one that they never may")
	f.Field, f.Found = path, fmt.Sprintf("the number %d", port)
	f.Expected, f.Fix = "a port that nothing else of kora has", "choose another, such as 20490"
	j.refuse(f)
}

// Reached are the ports that agents must reach whatever is configured, as
// kora.reachedPorts of the chart's templates has it.
func Reached() []int64 {
	return []int64{settings.DNSPort, settings.MeshPort, settings.GatewayPort, settings.SessionManagerPort}
}

// reached are the ports of kora's own, and the collector's (R28).
func (j *judge) reached() []int64 {
	out := Reached()
	n := j.all.Get("global", "observability", "otlpEndpoint")
	if n == nil || n.Tag != "!!str" || n.Value == "" {
		return out
	}
	u, err := url.Parse(n.Value)
	if err != nil {
		return out // as others say
	}
	collector, err := strconv.ParseInt(u.Port(), 10, 64)
	switch {
	case err == nil:
	case u.Scheme == "https":
		collector = 443
	default:
		collector = 80
	}
	return append(out, collector)
}
