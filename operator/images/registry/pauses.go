package registry

import (
	"maps"
	"sync"
	"time"
)

// pauses are what registries asked for with 429 or 503 and Retry-After (R52). Whoever
// writes a repository decides what that one answers: a pause counts for it alone, by
// host and credentials, until the registry itself is seen to want one.
type pauses struct {
	sync.Mutex
	of   map[question]*limits // by party
	kept int                  // repositories in all
}

// limits are those of one party.
type limits struct {
	door         time.Time // until when the registry's door is shut: /v2/ or its tokens
	repositories map[string]limit
}

// limit is what one repository asked for.
type limit struct {
	until  time.Time
	tenant string // whose image it was
	alone  bool   // another repository has answered well since: it is not the registry's
}

// scope is of whom a pause is.
type scope int

const (
	nobody scope = iota
	ofRepository
	ofRegistry
)

// The registry itself is believed to want a pause where so many repositories, of so
// many tenants, ask for one at a time, and none has answered well since.
const (
	enoughRepositories = 3
	enoughTenants      = 2
)

// pausesKept are remembered at most. What is not remembered is asked again when its own
// image's time comes, which is after its pause as well.
const pausesKept = 4096

// wait is how long a repository is left alone, and by whose wish. The platform's
// images wait for nobody's repository but their own.
func (p *pauses) wait(as question, repository string, platform bool, now time.Time) (time.Duration, scope) {
	p.Lock()
	defer p.Unlock()
	l := p.of[as]
	if l == nil {
		return 0, nobody
	}
	if wait := l.door.Sub(now); wait > 0 {
		return wait, ofRegistry
	}
	if wait := l.repositories[repository].until.Sub(now); wait > 0 {
		return wait, ofRepository
	}
	if wait := l.believed(now).Sub(now); wait > 0 && !platform {
		return wait, ofRegistry
	}
	return 0, nobody
}

// believed is until when what repositories asked for counts as the registry's wish.
func (l *limits) believed(now time.Time) (until time.Time) {
	tenants, n := map[string]bool{}, 0
	for _, each := range l.repositories {
		if each.alone || !now.Before(each.until) {
			continue
		}
		tenants[each.tenant] = true
		if n++; n == 1 || each.until.Before(until) {
			until = each.until
		}
	}
	if n < enoughRepositories || len(tenants) < enoughTenants {
		return time.Time{}
	}
	return until
}

// shut notes that the registry's door wants a pause of a party.
func (p *pauses) shut(as question, until, now time.Time) {
	p.Lock()
	defer p.Unlock()
	if l := p.party(as, now); l != nil {
		l.door = until
	}
}

// ask notes that a repository wants a pause.
func (p *pauses) ask(as question, repository string, its limit, now time.Time) {
	p.Lock()
	defer p.Unlock()
	l := p.party(as, now)
	if l == nil {
		return
	}
	if _, known := l.repositories[repository]; !known {
		p.kept++
	}
	l.repositories[repository] = its
}

// well notes that a repository has answered: what others ask for is their own affair.
func (p *pauses) well(as question, repository string) {
	p.Lock()
	defer p.Unlock()
	l := p.of[as]
	if l == nil {
		return
	}
	if _, known := l.repositories[repository]; known {
		delete(l.repositories, repository)
		p.kept--
	}
	for name, each := range l.repositories {
		each.alone = true
		l.repositories[name] = each
	}
}

// party finds or makes the limits of one, nil when there are too many.
func (p *pauses) party(as question, now time.Time) *limits {
	if p.of == nil {
		p.of = map[question]*limits{}
	}
	if p.kept+len(p.of) >= pausesKept {
		if p.sweep(now); p.kept+len(p.of) >= pausesKept {
			return nil
		}
	}
	if p.of[as] == nil {
		p.of[as] = &limits{repositories: map[string]limit{}}
	}
	return p.of[as]
}

// sweep forgets what has ended.
func (p *pauses) sweep(now time.Time) {
	p.kept = 0
	for as, l := range p.of {
		maps.DeleteFunc(l.repositories, func(_ string, each limit) bool { return !now.Before(each.until) })
		if p.kept += len(l.repositories); len(l.repositories) == 0 && !now.Before(l.door) {
			delete(p.of, as)
		}
	}
}
