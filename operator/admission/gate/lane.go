package gate

import (
	"context"
	"slices"
	"sync"
	"time"
)

// lane is room for so many bytes of bodies, which is shared by those who send them: the
// one that has least comes next. Nobody proves here who sends, but where a body comes from
// is known, and the API server comes from elsewhere than whoever floods the operator.
type lane struct {
	size  int64
	stall time.Duration // how long a body that others wait for may take to arrive

	mu      sync.Mutex
	used    int64
	bytes   map[string]int64 // that each has, by address
	waiting []*body          // the longest first
	arrives []*body          // unread
	pressed time.Time        // the last time
}

func newLane(size int64, stall time.Duration) *lane {
	return &lane{size: size, stall: stall, bytes: map[string]int64{}}
}

// body is one that waits for room, or has it.
type body struct {
	from  string
	bytes int64
	cut   func() // ends a read that is under way
	room  chan struct{}
	since time.Time
}

// enter waits until there is room; leave ends that, and is to be called once.
func (l *lane) enter(ctx context.Context, b *body) (leave func(), err error) {
	b.room = make(chan struct{})
	l.mu.Lock()
	l.waiting = append(l.waiting, b)
	l.serve()
	l.press(time.Now())
	l.mu.Unlock()
	look := time.NewTicker(max(l.stall/2, time.Millisecond))
	defer look.Stop()
	for {
		select {
		case <-b.room:
			return func() { l.leave(b) }, nil
		case <-ctx.Done():
			return nil, l.giveUp(ctx, b)
		case <-look.C:
			l.mu.Lock()
			l.press(time.Now())
			l.mu.Unlock()
		}
	}
}

// serve gives room to those that have least, as long as there is some.
func (l *lane) serve() {
	for {
		next := l.next()
		if next == nil || l.used+next.bytes > l.size {
			return
		}
		l.waiting = slices.DeleteFunc(l.waiting, func(b *body) bool { return b == next })
		l.used += next.bytes
		l.bytes[next.from] += next.bytes
		next.since = time.Now()
		l.arrives = append(l.arrives, next)
		close(next.room)
	}
}

// next is the body of who has least, and of these the one that has waited longest.
func (l *lane) next() *body {
	var first *body
	for _, b := range l.waiting {
		if first == nil || l.bytes[b.from] < l.bytes[first.from] {
			first = b
		}
	}
	return first
}

// press cuts what does not arrive while somebody waits who has no more than its sender
// would have without it. However many wait, it looks only so often.
func (l *lane) press(now time.Time) {
	next := l.next()
	if next == nil || now.Sub(l.pressed) < l.stall/4 {
		return
	}
	l.pressed = now
	l.arrives = slices.DeleteFunc(l.arrives, func(b *body) bool {
		if b.from == next.from || now.Sub(b.since) < l.stall || l.bytes[b.from]-b.bytes < l.bytes[next.from] {
			return false
		}
		b.cut()
		return true
	})
}

// arrived notes that a body has been read, or that it never will: nobody cuts it any more.
func (l *lane) arrived(b *body) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(b)
}

func (l *lane) settle(b *body) {
	l.arrives = slices.DeleteFunc(l.arrives, func(o *body) bool { return o == b })
}

func (l *lane) leave(b *body) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settle(b)
	l.used -= b.bytes
	if l.bytes[b.from] -= b.bytes; l.bytes[b.from] == 0 {
		delete(l.bytes, b.from)
	}
	l.serve()
}

// giveUp takes a body out that waits no longer; room that it got in that moment it gives back.
func (l *lane) giveUp(ctx context.Context, b *body) error {
	l.mu.Lock()
	at := slices.Index(l.waiting, b)
	if at >= 0 {
		l.waiting = slices.Delete(l.waiting, at, at+1)
		l.serve() // it may have been in the way of a smaller one
	}
	l.mu.Unlock()
	if at < 0 {
		l.leave(b)
	}
	return ctx.Err()
}
