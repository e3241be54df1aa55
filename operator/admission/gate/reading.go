package gate

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"
)

// Room is what a [Reading] has for bodies, in bytes. Small bodies have a room of
// their own, so that ordinary requests pass beside a flood of large ones.
type Room struct {
	Small, Large int64
	// Most is what counts as small, and Whole the largest body that is ever read: one
	// whose length nobody told counts for it.
	Most, Whole int64
	// Patience is how long a body may wait for room, and how long it may take to arrive.
	Patience time.Duration
}

// DefaultRoom holds six of the largest bodies, and some hundred common ones.
func DefaultRoom() Room {
	return Room{Small: 16 << 20, Large: 48 << 20, Most: 128 << 10, Whole: 7 << 20, Patience: 3 * time.Second}
}

// reading is a handler before which bodies wait unread (R54).
type reading struct {
	http.Handler
	room         Room
	small, large *semaphore.Weighted
}

// Reading has a webhook read only as many bytes at once as there is room for: the gate
// counts what was read, and a namespace is known only then. A body that is late is
// answered with 503, which the API server takes for no.
func Reading(h http.Handler, room Room) http.Handler {
	return &reading{Handler: h, room: room, small: semaphore.NewWeighted(room.Small), large: semaphore.NewWeighted(room.Large)}
}

// ServeHTTP answers when there is room.
func (r *reading) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	ctx, cancel := context.WithTimeout(q.Context(), r.room.Patience)
	defer cancel()
	lane, bytes := r.lane(q.ContentLength)
	if lane.Acquire(ctx, bytes) != nil {
		http.Error(w, "kora has more to read at once than it has room for; try again in some seconds", http.StatusServiceUnavailable)
		return
	}
	defer lane.Release(bytes)
	// A body that never comes would keep its room. Only a test's recorder has no deadline.
	// It is of the body alone: net/http takes it off when the body has been read.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(r.room.Patience))
	r.Handler.ServeHTTP(w, q)
}

// lane is where a body waits, and for how much. One that is alone always has room.
func (r *reading) lane(length int64) (*semaphore.Weighted, int64) {
	if length < 0 || length > r.room.Whole {
		length = r.room.Whole
	}
	if length <= r.room.Most {
		return r.small, min(length+overhead, r.room.Small)
	}
	return r.large, min(length+overhead, r.room.Large)
}
