package door

import (
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// caller is a connection that comes from somewhere, and what it calls on.
type caller struct {
	net.Conn
	from net.Addr
}

func (c caller) RemoteAddr() net.Addr { return c.from }

// calls is a listener that takes connections from a test.
type calls struct {
	net.Listener
	next chan net.Conn
}

func (c calls) Accept() (net.Conn, error) { return <-c.next, nil }

// world is a port with room for some.
type world struct {
	door *bound
	next chan net.Conn
	port int
}

func newWorld(most int) *world {
	next := make(chan net.Conn, 1)
	return &world{door: newBound(calls{next: next}, most), next: next}
}

// call comes in from an address; the two ends are the caller's and the server's.
func (w *world) call(t *testing.T, ip string) (theirs, ours net.Conn) {
	t.Helper()
	w.port++
	theirs, ours = net.Pipe()
	w.next <- caller{ours, &net.TCPAddr{IP: net.ParseIP(ip), Port: w.port}}
	ours, err := w.door.Accept()
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Millisecond) // by the bubble's clock: no two come at once
	return theirs, ours
}

// shut reports whether the server has closed a connection.
func shut(t *testing.T, theirs net.Conn) bool {
	t.Helper()
	if err := theirs.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
		return true // as a pipe says it
	}
	_, err := theirs.Read(make([]byte, 1))
	return err == io.EOF
}

// R54: whoever opens more connections than there is room for closes his own, and those of
// the API server and of the kubelet stay or come in.
func TestAFloodOfConnectionsIsItsOwnAffair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(10)
		server, _ := w.call(t, "10.0.0.1")
		var flood []net.Conn
		for range 500 {
			one, _ := w.call(t, "10.9.9.9")
			flood = append(flood, one)
		}
		second, _ := w.call(t, "10.0.0.1")
		kubelet, _ := w.call(t, "fd00::1")
		for name, c := range map[string]net.Conn{"the API server's first": server, "its second": second, "the kubelet's": kubelet} {
			if shut(t, c) {
				t.Errorf("%s was closed", name)
			}
		}
		for i, c := range flood {
			if got, want := shut(t, c), i < len(flood)-7; got != want {
				t.Fatalf("connection %d of the flood: closed %v, want %v", i, got, want)
			}
		}
		if w.door.all != 10 || len(w.door.open) != 3 {
			t.Errorf("%d connections of %d addresses are held", w.door.all, len(w.door.open))
		}
	})
}

// R54: of those that have alike many, the one goes that has been silent longest.
func TestWhoSpeaksStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(20)
		server, ours := w.call(t, "10.0.0.1")
		go func() { _, _ = io.Copy(io.Discard, ours) }()
		for n := range 300 {
			w.call(t, fmt.Sprintf("10.9.%d.%d", n/100, n%100))
			if _, err := server.Write([]byte("review")); err != nil {
				t.Fatalf("after %d others: %v", n, err)
			}
		}
		_ = server.Close()
		_ = ours.Close()
	})
}

// A place is free again as soon as a connection is closed, however often it is.
func TestPlacesComeFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(4)
		stays, _ := w.call(t, "10.0.0.1")
		for range 100 {
			_, ours := w.call(t, "10.0.0.1")
			for range 2 {
				_ = ours.Close()
			}
		}
		if shut(t, stays) || w.door.all != 1 || len(w.door.open) != 1 {
			t.Errorf("%d connections of %d addresses are held", w.door.all, len(w.door.open))
		}
	})
}
