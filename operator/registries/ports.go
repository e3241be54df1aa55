package registries

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
)

// hostPorts is how many ports of one host the mesh lets kora reach.
const hostPorts = 32

// open gives the ports of each host that providers have. Of ServiceEntries with one host Istio
// goes by the oldest alone, whosever that is and whichever ports the others have, so that all of
// them have all ports: one tenant's could close the host for another otherwise.
func (m *mesh) open(providers []*resource) {
	used := map[string]map[int]port{}
	last, nth := "", map[string]int{}
	for _, r := range providers { // sorted by tenant and name
		if !m.only || !r.verdict.True() {
			continue
		}
		if r.tenant != last {
			last, nth = r.tenant, map[string]int{}
		}
		host, number := endpoint(r.object.(*v1alpha1.ModelProvider))
		if used[host] == nil {
			used[host] = map[int]port{}
		}
		p, known := used[host][number]
		if !known || nth[host] < p.rank {
			p = port{number, nth[host]}
		}
		used[host][number] = p
		nth[host]++
	}
	m.ports = map[string][]int{}
	for host, all := range used {
		m.ports[host] = chosen(all)
	}
	for _, r := range providers {
		m.crowded(r)
	}
}

// port is one of a host. Its rank is how many other providers the tenant has for the host that
// come first, where it is the first: no tenant takes the places of all others.
type port struct{ number, rank int }

// chosen are the ports that there is room for, sorted.
func chosen(all map[int]port) (numbers []int) {
	var sorted []port
	for _, p := range all {
		sorted = append(sorted, p)
	}
	slices.SortFunc(sorted, func(a, b port) int { return cmp.Or(a.rank-b.rank, a.number-b.number) })
	for _, p := range sorted[:min(len(sorted), hostPorts)] {
		numbers = append(numbers, p.number)
	}
	slices.Sort(numbers)
	return numbers
}

// crowded finds a provider wrong for whose port there is no room.
func (m *mesh) crowded(r *resource) {
	if !m.only || !r.verdict.True() {
		return
	}
	host, number := endpoint(r.object.(*v1alpha1.ModelProvider))
	if slices.Contains(m.ports[host], number) {
		return
	}
	r.finding = finding{waiting: true, verdict: status.Bad(v1alpha1.ReasonConflict,
		"spec.endpoint: the mesh lets kora reach %d ports of one host, and of %s as many others are in use: name one of those, such as 443, or delete other model providers of this host", hostPorts, host)}
}

// endpoint is where a provider is, as Istio tells hosts apart.
func endpoint(p *v1alpha1.ModelProvider) (host string, number int) {
	return strings.ToLower(rules.HostOf(p.Spec.Endpoint)), rules.PortOf(p.Spec.Endpoint)
}

// opened are the ports of an entry.
func (m *mesh) opened(p *v1alpha1.ModelProvider) (all []any) {
	host, number := endpoint(p)
	numbers := m.ports[host]
	if !slices.Contains(numbers, number) { // nobody has looked at the others
		numbers = []int{number}
	}
	for _, n := range numbers {
		all = append(all, map[string]any{"name": fmt.Sprintf("tls-%d", n), "number": int64(n), "protocol": "TLS"})
	}
	return all
}
