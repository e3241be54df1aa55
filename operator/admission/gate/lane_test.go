package gate

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// bodyOf is a body of one byte, which counts its cuts.
func bodyOf(from string, cuts *atomic.Int64) *body {
	return &body{from: from, bytes: 1, cut: func() { cuts.Add(1) }}
}

// R54: who has least comes next, however many of another's wait before.
func TestWhoHasLeastComesNext(t *testing.T) {
	l := newLane(4, time.Hour)
	var cuts atomic.Int64
	var leaves []func()
	for range 4 {
		leave, err := l.enter(t.Context(), bodyOf("flood", &cuts))
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, leave)
	}
	order := make(chan string, 9)
	wait := func(from string) {
		before := waits(l)
		go func() {
			if _, err := l.enter(t.Context(), bodyOf(from, &cuts)); err == nil { // it stays
				order <- from
			}
		}()
		for waits(l) == before {
			time.Sleep(time.Millisecond)
		}
	}
	for range 5 {
		wait("flood")
	}
	wait("api")
	wait("api")
	got := ""
	for _, leave := range leaves {
		leave()
		got += <-order + " "
	}
	if want := "api api flood flood "; got != want || cuts.Load() != 0 {
		t.Errorf("room went to %s, want %s; %d were cut", got, want, cuts.Load())
	}
}

func waits(l *lane) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}

// R54: what does not arrive is cut where another with less waits for its room, and nothing
// else is: not what has arrived, not what is of the same sender, not what is new, and
// nothing of whoever would then have less than the one that waits.
func TestWhatStallsGivesWay(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		name    string
		from    string // who waits
		has     int64  // what it has
		age     time.Duration
		arrived bool
		cut     int64
	}{
		{"another with nothing", "api", 0, time.Minute, false, 3},
		{"another with as much", "api", 3, time.Minute, false, 0},
		{"another with a little less", "api", 2, time.Minute, false, 3},
		{"the same", "flood", 3, time.Minute, false, 0},
		{"another, and it is new", "api", 0, time.Millisecond, false, 0},
		{"another, and it has arrived", "api", 0, time.Minute, true, 0},
	} {
		l, cuts := newLane(3, time.Second), atomic.Int64{}
		for range 3 {
			b := bodyOf("flood", &cuts)
			if _, err := l.enter(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if b.since = now.Add(-c.age); c.arrived {
				l.arrived(b)
			}
		}
		l.bytes[c.from] = c.has
		l.waiting = []*body{bodyOf(c.from, &cuts)}
		if l.press(now); cuts.Load() != c.cut {
			t.Errorf("%s waits: %d were cut, want %d", c.name, cuts.Load(), c.cut)
		}
		if l.press(now); cuts.Load() != c.cut {
			t.Errorf("%s waits: they were cut twice", c.name)
		}
	}
}

// R54: who gives up leaves nothing behind, and lets the next one in.
func TestWhoGivesUpLeavesNothing(t *testing.T) {
	l, cuts := newLane(2, time.Hour), atomic.Int64{}
	leave, err := l.enter(t.Context(), bodyOf("a", &cuts))
	if err != nil {
		t.Fatal(err)
	}
	large := bodyOf("b", &cuts)
	large.bytes = 2
	ctx, cancel := context.WithCancel(t.Context())
	given := make(chan error)
	go func() {
		_, err := l.enter(ctx, large)
		given <- err
	}()
	for waits(l) == 0 {
		time.Sleep(time.Millisecond)
	}
	got := make(chan func())
	go func() {
		if next, err := l.enter(t.Context(), bodyOf("c", &cuts)); err == nil {
			got <- next
		}
	}()
	for waits(l) < 2 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-given; err == nil {
		t.Error("who gave up has room")
	}
	(<-got)()
	leave()
	if l.used != 0 || len(l.bytes) != 0 || len(l.waiting) != 0 || len(l.arrives) != 0 {
		t.Errorf("left are %+v", l)
	}
}

// R54: a flood of announced bodies that never come, from elsewhere, holds up nobody for
// longer than a part of the time that a body has.
func TestAFloodFromElsewhereGivesWay(t *testing.T) {
	r := &reader{inside: make(chan struct{}, 100), letGo: make(chan struct{})}
	close(r.letGo)
	reads := Reading(r, Room{Small: 4 * (1 + overhead), Large: 1 << 20, Most: 1 << 10, Whole: 1 << 20, Patience: 10 * time.Second})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		q.RemoteAddr = net.JoinHostPort(q.Host, "1") // all are of one machine here
		reads.ServeHTTP(w, q)
	}))
	t.Cleanup(s.Close)
	host := strings.TrimPrefix(s.URL, "http://")
	for range 40 {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: flood\r\nContent-Length: 1\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		q.Host = "api"
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		if _ = answer.Body.Close(); answer.StatusCode != http.StatusOK {
			t.Errorf("beside the flood: %s", answer.Status)
		}
	}
}
