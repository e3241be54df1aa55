package door

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// most is how many connections a port has at once. An API server has one or two, which
// bear many requests, the kubelet one for each probe.
const most = 128

// bound is a listener with no more connections than that. One more closes the one that
// has been silent longest, of the address that has most of them.
type bound struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]map[*conn]struct{} // by address
	all  int
}

func newBound(l net.Listener, most int) *bound {
	return &bound{Listener: l, most: most, open: map[string]map[*conn]struct{}{}}
}

// Accept gives the next connection, for which there is room.
func (b *bound) Accept() (net.Conn, error) {
	c, err := b.Listener.Accept()
	if err != nil {
		return nil, err
	}
	mine := &conn{Conn: c, from: address(c), leave: b.leave}
	mine.heard.Store(time.Now().UnixNano())
	if last := b.join(mine); last != nil {
		_ = last.Close() // the one who is turned out is told by that alone
	}
	return mine, nil
}

// join counts a connection, and gives the one that has to go for it, if any.
func (b *bound) join(c *conn) *conn {
	b.mu.Lock()
	defer b.mu.Unlock()
	var last *conn
	if b.all >= b.most {
		last = b.last(c.from)
	}
	if b.open[c.from] == nil {
		b.open[c.from] = map[*conn]struct{}{}
	}
	b.open[c.from][c] = struct{}{}
	b.all++
	return last
}

// last is the connection that is to go when there comes one from an address.
func (b *bound) last(from string) *conn {
	var last *conn
	has := 0
	for address, all := range b.open {
		n := len(all)
		if address == from {
			n++ // the newcomer is one of his
		}
		if n < has {
			continue
		}
		if oldest := silent(all); n > has || oldest.heard.Load() < last.heard.Load() {
			last, has = oldest, n
		}
	}
	return last
}

// silent is the one that was heard of last before all others.
func silent(all map[*conn]struct{}) *conn {
	var first *conn
	for c := range all {
		if first == nil || c.heard.Load() < first.heard.Load() {
			first = c
		}
	}
	return first
}

func (b *bound) leave(c *conn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open[c.from], c)
	if len(b.open[c.from]) == 0 {
		delete(b.open, c.from)
	}
	b.all--
}

// conn is one of them.
type conn struct {
	net.Conn
	from  string
	heard atomic.Int64 // when something came, or the connection did
	once  sync.Once
	leave func(*conn)
}

func (c *conn) Read(into []byte) (int, error) {
	n, err := c.Conn.Read(into)
	if n > 0 {
		c.heard.Store(time.Now().UnixNano())
	}
	return n, err
}

// Close gives its place free, once.
func (c *conn) Close() error {
	c.once.Do(func() { c.leave(c) })
	return c.Conn.Close()
}

// address is where a connection comes from, without the port.
func address(c net.Conn) string {
	host, _, err := net.SplitHostPort(c.RemoteAddr().String())
	if err != nil {
		return c.RemoteAddr().String()
	}
	return host
}
