package gate

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// reader is a webhook that reads bodies and holds them until it is let go.
type reader struct {
	held, most atomic.Int64
	inside     chan struct{}
	letGo      chan struct{}
}

func (r *reader) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	r.most.Store(max(r.most.Load(), r.held.Add(int64(len(body)))))
	r.inside <- struct{}{}
	<-r.letGo
	r.held.Add(-int64(len(body)))
}

// serve gives the address of a webhook with a room of two large bodies.
func serve(t *testing.T, patience time.Duration) (*reader, string) {
	t.Helper()
	r := &reader{inside: make(chan struct{}, 100), letGo: make(chan struct{})}
	room := Room{Small: 4 * (1 + overhead), Large: 2 * (1<<20 + overhead), Most: 1 << 10, Whole: 1 << 20, Patience: patience}
	s := httptest.NewServer(Reading(r, room))
	t.Cleanup(s.Close)
	return r, s.URL
}

// post gives the status of a body's answer on a channel.
func post(t *testing.T, url string, bytesOf int, answers chan<- int) {
	t.Helper()
	go func() {
		answer, err := http.Post(url, "application/json", bytes.NewReader(make([]byte, bytesOf)))
		if err != nil {
			t.Error(err)
			answers <- 0
			return
		}
		_ = answer.Body.Close()
		answers <- answer.StatusCode
	}()
}

// R54: no more is read at once than there is room for, what finds none is told so, and
// small requests pass beside a flood of large ones.
func TestBodiesWaitUnread(t *testing.T) {
	r, url := serve(t, 5*time.Second) // in which those that have room are read
	large, small := make(chan int, 8), make(chan int, 1)
	for range cap(large) {
		post(t, url, 1<<20, large)
	}
	<-r.inside
	<-r.inside
	for range 6 { // those that found no room
		if code := <-large; code != http.StatusServiceUnavailable {
			t.Errorf("one more than there is room for: %d", code)
		}
	}
	post(t, url, 1, small)
	<-r.inside
	close(r.letGo)
	for range 2 {
		if code := <-large; code != http.StatusOK {
			t.Errorf("one that had room: %d", code)
		}
	}
	if code := <-small; code != http.StatusOK {
		t.Errorf("a small one: %d", code)
	}
	if most := r.most.Load(); most != 2<<20+1 {
		t.Errorf("%d bytes were held at once", most)
	}
}

// R54: a body that never comes gives its room back.
func TestABodyThatNeverComesIsCut(t *testing.T) {
	r, url := serve(t, 2*time.Second)
	close(r.letGo)
	host := strings.TrimPrefix(url, "http://")
	var all []net.Conn
	for range 2 { // all the room that there is
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: "+host+"\r\nContent-Length: 1048576\r\n\r\n{"); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	for _, c := range all {
		line := make([]byte, 12)
		if _, err := io.ReadFull(c, line); err != nil || string(line) != "HTTP/1.1 400" {
			t.Errorf("%q, %v", line, err)
		}
	}
	answers := make(chan int, 1)
	if post(t, url, 1<<20, answers); <-answers != http.StatusOK {
		t.Error("there is no room after them")
	}
}

// R54: a length that nobody told, or that is beyond all, counts for the whole, and one
// that is larger than the room gets all of it.
func TestWhatABodyCountsFor(t *testing.T) {
	r := Reading(nil, Room{Small: 1 << 20, Large: 2 << 20, Most: 1 << 10, Whole: 7 << 20}).(*reading)
	for length, want := range map[int64]struct {
		small bool
		bytes int64
	}{0: {true, overhead}, 1 << 10: {true, 1<<10 + overhead}, 1<<10 + 1: {false, 1<<10 + 1 + overhead},
		-1: {false, 2 << 20}, 1 << 40: {false, 2 << 20}} {
		if lane, got := r.lane(length); got != want.bytes || (lane == r.small) != want.small {
			t.Errorf("%d counts for %d, small: %v", length, got, lane == r.small)
		}
	}
}
