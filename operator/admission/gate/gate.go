package gate

import (
	"context"
	"sync"
	"time"
)

// Limits are what a gate has room for. What waits has been read already, so that it
// counts by the memory that it holds.
type Limits struct {
	// All and Each are how many are judged at once, over all and of one namespace.
	All, Each int
	// AllBytes and EachBytes are how much is held in all by those that are judged and
	// those that wait, over all and of one namespace.
	AllBytes, EachBytes int
}

// Default leaves room for some hundred common requests of one namespace, and for four
// namespaces that do their worst: 32 MiB beside what the operator has, of 1Gi.
func Default() Limits {
	return Limits{All: 8, Each: 2, AllBytes: 32 << 20, EachBytes: 8 << 20}
}

// overhead is what a request holds besides its objects: buffers and its goroutine.
const overhead = 16 << 10

// Gate is safe for many at once.
type Gate struct {
	limits Limits
	slots  chan struct{} // one for each that is judged

	mu    sync.Mutex
	bytes int // held over all
	lines map[string]*line
}

// line is what one namespace has at the gate. It goes with its last request.
type line struct {
	slots chan struct{}
	bytes int
}

// New makes a gate that is open.
func New(l Limits) *Gate {
	return &Gate{limits: l, slots: make(chan struct{}, l.All), lines: map[string]*line{}}
}

// Enter waits until a request of so many bytes may be judged; leave ends that, and is
// to be called once. A request that finds no place in the line is refused at once with
// a [Full]; one that waits until its context ends, with a [Late]. The namespace's own
// line comes first, so that one namespace never has more than its share among those
// that wait for all.
func (g *Gate) Enter(ctx context.Context, namespace string, bytes int) (leave func(), err error) {
	bytes += overhead
	mine, err := g.join(namespace, bytes)
	if err != nil {
		return nil, err
	}
	if !take(ctx, mine.slots) {
		g.part(namespace, mine, bytes)
		return nil, Late{namespace}
	}
	if !take(ctx, g.slots) {
		<-mine.slots
		g.part(namespace, mine, bytes)
		return nil, Late{""}
	}
	return func() {
		<-g.slots
		<-mine.slots
		g.part(namespace, mine, bytes)
	}, nil
}

// join gives a request its place in the namespace's line. One that is alone always
// has one there: a request is bounded by whoever reads it.
func (g *Gate) join(namespace string, bytes int) (*line, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := g.lines[namespace]
	switch {
	case mine != nil && mine.bytes+bytes > g.limits.EachBytes:
		return nil, Full{namespace}
	case g.bytes > 0 && g.bytes+bytes > g.limits.AllBytes:
		return nil, Full{""}
	case mine == nil:
		mine = &line{slots: make(chan struct{}, g.limits.Each)}
		g.lines[namespace] = mine
	}
	mine.bytes += bytes
	g.bytes += bytes
	return mine, nil
}

func (g *Gate) part(namespace string, mine *line, bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine.bytes -= bytes
	g.bytes -= bytes
	if mine.bytes == 0 {
		delete(g.lines, namespace)
	}
}

// take takes a slot, and none when the context has ended: what nobody waits for any
// more is not judged, also where a slot came free in the moment in which it ended.
func take(ctx context.Context, slots chan struct{}) bool {
	if ended(ctx) {
		return false
	}
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	if ended(ctx) {
		<-slots
		return false
	}
	return true
}

// ended goes by the deadline too: that it has come is told a little later.
func ended(ctx context.Context) bool {
	deadline, has := ctx.Deadline()
	return ctx.Err() != nil || has && !time.Now().Before(deadline)
}
