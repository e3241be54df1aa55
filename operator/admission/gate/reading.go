package gate

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// Room is what a [Reading] has for bodies, in bytes. Small bodies have a room of
// their own, so that ordinary requests pass beside a flood of large ones.
type Room struct {
	Small, Large int64
	// Most is what counts as small, and Whole the largest body that is ever read: one
	// whose length nobody told counts for it.
	Most, Whole int64
	// Patience is how long a body may wait for room, and how long it may take to arrive
	// while nobody waits: a tenth of it otherwise.
	Patience time.Duration
}

// DefaultRoom holds six of the largest bodies, and some hundred common ones.
func DefaultRoom() Room {
	return Room{Small: 16 << 20, Large: 48 << 20, Most: 128 << 10, Whole: 7 << 20, Patience: 3 * time.Second}
}

// stalls is what part of that the tenth is.
const stalls = 10

// reading is a handler before which bodies wait unread (R54).
type reading struct {
	http.Handler
	room         Room
	small, large *lane
}

// Reading has a webhook read only as many bytes at once as there is room for: the gate
// counts what was read, and a namespace is known only then. Whoever sends least comes
// first, so that a flood from elsewhere delays the API server by little. A body that is
// late is answered with 503, which the API server takes for no.
func Reading(h http.Handler, room Room) http.Handler {
	stall := room.Patience / stalls
	return &reading{Handler: h, room: room, small: newLane(room.Small, stall), large: newLane(room.Large, stall)}
}

// ServeHTTP answers when there is room.
func (r *reading) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	ctx, cancel := context.WithTimeout(q.Context(), r.room.Patience)
	defer cancel()
	control := http.NewResponseController(w)
	lane, bytes := r.lane(q.ContentLength)
	b := &body{from: sender(q), bytes: bytes, cut: func() { _ = control.SetReadDeadline(time.Now()) }}
	leave, err := lane.enter(ctx, b)
	if err != nil {
		http.Error(w, "kora has more to read at once than it has room for; try again in some seconds", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	// A body that never comes would keep its room. Only a test's recorder has no deadline.
	// It is of the body alone: net/http takes it off when the body has been read.
	_ = control.SetReadDeadline(time.Now().Add(r.room.Patience))
	q.Body = &arriving{q.Body, func() { lane.arrived(b) }}
	r.Handler.ServeHTTP(w, q)
}

// sender is where a request comes from, without the port.
func sender(q *http.Request) string {
	host, _, err := net.SplitHostPort(q.RemoteAddr)
	if err != nil {
		return q.RemoteAddr
	}
	return host
}

// arriving is a body that tells when it has been read.
type arriving struct {
	io.ReadCloser
	read func()
}

func (a *arriving) Read(into []byte) (int, error) {
	n, err := a.ReadCloser.Read(into)
	if err != nil {
		a.read()
	}
	return n, err
}

// lane is where a body waits, and for how much. One that is alone always has room.
func (r *reading) lane(length int64) (*lane, int64) {
	if length < 0 || length > r.room.Whole {
		length = r.room.Whole
	}
	if length <= r.room.Most {
		return r.small, min(length+overhead, r.room.Small)
	}
	return r.large, min(length+overhead, r.room.Large)
}
