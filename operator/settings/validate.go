package settings

import (
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/internal/spelling"
	"k8s.io/apimachinery/pkg/util/validation"
)

// validate finds the values that have the right type and are of no use. Of a module
// that could not be read it says nothing.
func (l *loader) validate(s Settings) {
	if faults := validation.IsDNS1123Label(s.SystemNamespace); len(faults) > 0 {
		l.refuse(moduleOperator, "systemNamespace", s.SystemNamespace, "is no name of a namespace", "write "+spelling.Wanted(faults)+": the namespace that kora runs in, kora-system in the chart")
	}
	l.syncs(s.SyncPeriod)
	if !s.LeaderElection.Enabled { // an old pod and its successor are there at once, of one replica too
		l.refuse(moduleOperator, "leaderElection.enabled", strconv.FormatBool(s.LeaderElection.Enabled), "lets two operators act at once, as at each rollout", "set it to true, as the chart does")
	}
	if s.LeaderElection.Enabled && s.LeaderElection.Name == "" {
		l.refuse(moduleOperator, "leaderElection.name", "", "is empty", "name the Lease, kora-operator in the chart")
	}
	ports := map[string]int{"webhooks": s.Ports.Webhooks, "probes": s.Ports.Probes, "metrics": s.Ports.Metrics}
	for _, key := range slices.Sorted(maps.Keys(ports)) {
		if port := ports[key]; port < 0 || port > 65535 {
			l.refuse(moduleOperator, fields.Path("ports."+key), strconv.Itoa(port), "is no port", "write one from 1 to 65535, or 0 for none")
		}
	}
	for i, cidr := range s.CollectorCIDRs {
		if p, err := netip.ParsePrefix(cidr); err != nil || p.Bits() == 0 {
			l.refuse(moduleOperator, fields.Path("collectorCIDRs").Index(i), cidr, "is not the block of addresses of a collector", "write it as 203.0.113.0/28, and never as all addresses")
		}
	}
	l.reachable(s)
	l.shaped()
}

// syncs refuses a period that is too long for the chart, or for a duration, and one of less
// than a second.
func (l *loader) syncs(text string) {
	if periods.takes(text) && !period.takes(text) {
		l.refuse(moduleOperator, "syncPeriod", text, periods.not, periods.fix)
	} else if every, err := time.ParseDuration(text); err != nil || every < time.Second {
		l.refuse(moduleOperator, "syncPeriod", text, "is no duration of at least 1s", period.fix)
	}
}

// reachable: the collector's port is one, and the NFS port is none that agents reach.
func (l *loader) reachable(s Settings) {
	port, err := s.CollectorPort()
	if err != nil {
		l.refuse(moduleObservability, "otlpEndpoint", s.Observability.OTLPEndpoint, "leads nowhere: "+err.Error(), "write it as http://host:port")
		return
	}
	if s.SandboxMount.Enabled && slices.Contains([]int{DNSPort, MeshPort, GatewayPort, SessionManagerPort, port}, s.SandboxMount.Port) {
		l.refuse(moduleOperator, "sandboxMount.port", strconv.Itoa(s.SandboxMount.Port), "is a port that agents must reach, and the NFS port is one that they never may", "choose another, such as 20490")
	}
}

// refuse adds a fault of a field, at its value, or where that is not given as near
// as it would be. What is refused already is not told twice.
func (l *loader) refuse(name string, field fields.Path, found, message, fix string) {
	m := l.modules[name]
	if m == nil || slices.ContainsFunc(m.bad, func(p fields.Path) bool { return field.Within(p) || p.Within(field) }) {
		return
	}
	if slices.ContainsFunc(l.found, func(f faults.Fault) bool { return f.File == m.file.Name && f.Field == string(field) }) {
		return
	}
	f := m.place(field).Fault(faults.BadSetting, string(field)+" "+message)
	f.Field, f.Found, f.Fix = string(field), found, fix
	l.found = append(l.found, f)
}

// place is where a field's value stands, or the mapping that lacks it.
func (m *module) place(field fields.Path) source.Pos {
	pos, n := m.file.At(1, 1), m.root
	for _, step := range field.Steps() {
		if n == nil {
			break
		}
		pos = n.Pos
		switch {
		case step.Name != "":
			n = n.Get(step.Name)
		case step.Index >= 0 && step.Index < len(n.Items):
			n = n.Items[step.Index]
		default:
			n = nil
		}
	}
	if n != nil {
		pos = n.Pos
	}
	return pos
}
