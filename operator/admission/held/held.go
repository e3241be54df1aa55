package held

import (
	"errors"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
)

// unseen is how long what was admitted counts without having been seen: another webhook
// may have refused it, or a quota.
const unseen = 10 * time.Second

// Held is safe for many at once.
type Held struct {
	clock clock.PassiveClock

	mu     sync.Mutex
	filled []func() bool
	of     map[place]*counts
	queue  []coming // what was admitted, the oldest first
}

// coming is one that counts until it has been seen, or its time is over.
type coming struct {
	of    place
	name  string
	until time.Time
}

// place is where a count is of.
type place struct{ kind, namespace string }

type counts struct {
	bytes    int // of what the cache holds
	coming   int // of what was admitted, and is not there yet
	admitted map[string]admitted
}

type admitted struct {
	bytes int
	until time.Time
}

// New makes an empty count; Watch fills it.
func New(now clock.PassiveClock) *Held { return &Held{clock: now, of: map[place]*counts{}} }

// Full is that a resource finds no room.
type Full struct{ Taken, More int }

// errFilling is that nothing is known yet.
var errFilling = errors.New("the operator has not counted yet what there is")

// Take counts a resource that is to be admitted, in the place of old, which is nil for a
// new one; full is nil when there is room. One that does not grow always has. Of a dry
// run nothing stays counted.
func (h *Held) Take(o, old v1alpha1.Object, dry bool) (full *Full, err error) {
	more := rules.Size(o)
	if old != nil {
		more -= rules.Size(old)
	}
	if more <= 0 {
		return nil, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, filled := range h.filled {
		if !filled() {
			return nil, errFilling
		}
	}
	now := h.clock.Now()
	h.forget(now)
	c := h.at(o)
	if taken := c.bytes + c.coming; taken+more > rules.Share {
		h.clean(placeOf(o))
		return &Full{taken, more}, nil
	}
	if !dry && c.admit(o.GetName(), more, old != nil, now) {
		h.queue = append(h.queue, coming{placeOf(o), o.GetName(), now.Add(unseen)})
	}
	h.clean(placeOf(o))
	return nil, nil
}

// admit counts what is on its way. Whoever makes the same thing again and again makes
// one of it; what grows twice before it is seen has grown by both, until the first is seen:
// the second is then counted by its own event. It reports whether it is a new one.
func (c *counts) admit(name string, more int, grows bool, now time.Time) bool {
	a, again := c.admitted[name]
	if !again {
		a = admitted{until: now.Add(unseen)}
	}
	if grows {
		more += a.bytes
	}
	c.came(name)
	c.coming += more
	c.admitted[name] = admitted{more, a.until}
	return !again
}

// came ends that a resource is on its way.
func (c *counts) came(name string) {
	c.coming -= c.admitted[name].bytes
	delete(c.admitted, name)
}

// forget drops what has not come in time, wherever it was to be: what never comes is held
// no longer, though nobody asks for room there again.
func (h *Held) forget(now time.Time) {
	for len(h.queue) > 0 && h.queue[0].over(now) {
		next := h.queue[0]
		h.queue = h.queue[1:]
		// Its place may be gone since, or its name be that of another that came later.
		if c := h.of[next.of]; c != nil && c.admitted[next.name].until.Equal(next.until) {
			c.came(next.name)
			h.clean(next.of)
		}
	}
	if len(h.queue) == 0 {
		h.queue = nil // and what it was in
	}
}

// over reports whether the time is over, also where the clock was put back.
func (c coming) over(now time.Time) bool {
	return now.After(c.until) || c.until.Sub(now) > unseen
}

// clean leaves no count of nothing.
func (h *Held) clean(at place) {
	if c := h.of[at]; c != nil && c.bytes == 0 && len(c.admitted) == 0 {
		delete(h.of, at)
	}
}

// seen changes a count by what the cache has been told.
func (h *Held) seen(o v1alpha1.Object, bytes int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.at(o)
	c.bytes += bytes
	c.came(o.GetName())
	h.clean(placeOf(o))
}

func (h *Held) at(o v1alpha1.Object) *counts {
	at := placeOf(o)
	if h.of[at] == nil {
		h.of[at] = &counts{admitted: map[string]admitted{}}
	}
	return h.of[at]
}

func placeOf(o v1alpha1.Object) place { return place{rules.KindOf(o), o.GetNamespace()} }
