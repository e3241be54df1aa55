package registry

import (
	"maps"
	"sync"
	"time"
)

// How many registries are read at once, so that one that is silent, for as long as a
// read may take, holds up nobody but whoever named it (R52).
const (
	// readers are the reads at once, in all.
	readers = 8
	// readersShared may be had by anybody. The rest is for tenants that hold none, and
	// whose registries answered quickly of late.
	readersShared = readers / 2
	// readersOfHost and readersOf are those of one registry, and of one tenant.
	readersOfHost = readers / 2
	readersOf     = readers / 4
)

// quietTime is how long a registry that did not answer in time is not asked again by
// the tenant that waited for it.
const quietTime = time.Minute

// turns gives each read its turn. One whose turn has not come is told so, and waits
// without holding up another.
type turns struct {
	sync.Mutex
	all     int
	hosts   map[string]int
	tenants map[string]int
	silent  map[string]time.Time // tenants, until when their last read counts as unanswered
}

// take begins a read of a tenant's image, and reports whether it may.
func (t *turns) take(tenant, host string, now time.Time) bool {
	t.Lock()
	defer t.Unlock()
	if !t.has(tenant, host, now) {
		return false
	}
	t.all++
	t.hosts[host]++
	t.tenants[tenant]++
	return true
}

// free reports whether a read of a tenant's image might begin now.
func (t *turns) free(tenant, host string, now time.Time) bool {
	t.Lock()
	defer t.Unlock()
	return t.has(tenant, host, now)
}

func (t *turns) has(tenant, host string, now time.Time) bool {
	if t.hosts == nil {
		t.hosts, t.tenants, t.silent = map[string]int{}, map[string]int{}, map[string]time.Time{}
	}
	maps.DeleteFunc(t.silent, func(_ string, until time.Time) bool { return !now.Before(until) || until.Sub(now) > quietTime })
	_, silent := t.silent[tenant]
	most := readers
	if silent || t.tenants[tenant] > 0 {
		most = readersShared
	}
	return t.all < most && t.hosts[host] < readersOfHost && t.tenants[tenant] < readersOf
}

// give ends a read; silent says that the registry did not answer in time, or took long:
// one that drips holds a reader as well as one that is silent.
func (t *turns) give(tenant, host string, silent bool, now time.Time) {
	t.Lock()
	defer t.Unlock()
	t.all--
	less(t.hosts, host)
	less(t.tenants, tenant)
	if silent { // a quick answer after it takes nothing back: a tenant may name both in turn
		t.silent[tenant] = now.Add(quietTime)
	}
}

func less(of map[string]int, name string) {
	if of[name]--; of[name] == 0 {
		delete(of, name)
	}
}
