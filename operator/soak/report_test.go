package soak_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// write is docs/measurements/operator.md.
func (s *soak) write(t *testing.T) {
	t.Helper()
	if *report == "" {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# The operator, measured

By `+"`make operator-soak`"+` (operator/soak), %s. Machine: %d cores of %s/%s, with etcd, the API server, the controllers and the test itself on the same cores. %s
Flags: tenants %s, kills %d, seed %d, sync period %s.

kora-operator is a process with the rights that the chart gives, elected, with its webhooks on, against Kubernetes of the test cluster. A tenant
has %d resources: 2 each of Connections, OAuthClients, MCPServers, ModelProviders and SandboxImages, whose Secrets are read and whose registry is on 127.0.0.1; the
operator adds kora-base and the three bundled images. `+"`REGISTRY_ONLY`"+` is on: each model provider has a ServiceEntry.

## Growth

Each line grows from the one before. "Ready" is from the step's first object until everything was Ready; people's own %d writes at a time are part of it.

| tenants | resources | made | Ready | CPU of the step | CPU a tenant | resident | peak | heap | calls | calls a tenant | writes a tenant |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`, time.Now().UTC().Format("2 January 2006"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, *shape, *steps, *kills, *seed, *period, each, makers)
	before := 0
	for _, m := range s.measured {
		grown := m.tenants - before
		before = m.tenants
		fmt.Fprintf(&b, "| %d | %d | %s | %s | %s | %s | %d MiB | %d MiB | %d MiB | %d | %d | %d |\n", m.tenants, m.resources, m.made.Round(time.Second), m.ready.Round(time.Second),
			m.cpu.Round(time.Second), (m.cpu / time.Duration(grown)).Round(time.Millisecond), m.used.resident, m.used.peak, m.used.heap, m.calls.sum(""), m.calls.sum("")/grown, m.calls.writes().sum("")/grown)
	}
	fmt.Fprintf(&b, "\nThe calls of the last step, by verb and resource: %s.\n\n## Steady state\n\nIn %s after each step nothing changes. The lease is renewed every two seconds.\n\n| tenants | writes | reads | all calls | CPU |\n| ---: | ---: | ---: | --- | ---: |\n",
		s.measured[len(s.measured)-1].calls, *still)
	for _, m := range s.measured {
		fmt.Fprintf(&b, "| %d | %d | %d | %s | %s |\n", m.tenants, m.steady.writes().sum(""), m.steady.sum("read"), m.steady, m.steadyCPU.Round(10*time.Millisecond))
	}
	b.WriteString("\n## Faults\n\nAfter each, all objects were compared with what they should be (nothing lost, nothing twice, nothing left over), and all statuses linted.\n\n")
	for _, line := range s.sayings {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	if *kills < 0 {
		b.WriteString("- This run was for growth alone: no faults. Everything was compared once, at the end.\n")
	}
	fmt.Fprintf(&b, "- The operator ended by itself %d times: it does when it cannot renew its lease for ten seconds, and is started again.\n", s.ended)
	b.WriteString("- Clock jumps of certificates: tests of the packages, since a process has the machine's clock: operator/certificates, operator/authority, operator/tenants.\n")
	if err := os.WriteFile(*report, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
