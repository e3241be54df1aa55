// Package lines bounds how many lines of a log others can have the operator write (R54):
// whoever reaches a port without credentials would otherwise fill the node's disk, and
// what people look for would drown.
//
//	bound := lines.New()
//	log = bound.Of(log)
package lines

import (
	"sync"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const (
	most   = 20          // lines, so that what goes on is seen
	period = time.Minute // in which there are no more
)

// Bound is what all loggers made of it write together: of one period the first lines, and
// at its end how many more there were. It is safe for many at once; where nothing is
// written nothing runs.
type Bound struct {
	mu      sync.Mutex
	written int // of this period, those left out too; 0 when none has begun
}

// New gives one for one kind of lines.
func New() *Bound { return &Bound{} }

// Of is a logger whose lines are bounded.
func (b *Bound) Of(log logr.Logger) logr.Logger {
	if log.GetSink() == nil {
		return log
	}
	return log.WithSink(sink{log.GetSink(), b})
}

// Webhook is for webhook.Admission's LogConstructor: what it says of requests that it
// cannot read is bounded.
func (b *Bound) Webhook(base logr.Logger, r *admission.Request) logr.Logger {
	return admission.DefaultLogConstructor(b.Of(base), r)
}

// take reports whether a line is to be written; to tells at the period's end of the rest.
func (b *Bound) take(to logr.LogSink) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.written == 0 {
		time.AfterFunc(period, func() { b.end(to) })
	}
	b.written++
	return b.written <= most
}

func (b *Bound) end(to logr.LogSink) {
	b.mu.Lock()
	left := b.written - most
	b.written = 0
	b.mu.Unlock()
	if left > 0 {
		to.Info(0, "lines like those before were left out: somebody sends a great many bad requests", "lines", left, "in", period.String())
	}
}

// sink writes what its bound lets through.
type sink struct {
	logr.LogSink
	bound *Bound
}

func (s sink) Info(level int, message string, pairs ...any) {
	if s.bound.take(s.LogSink) {
		s.LogSink.Info(level, message, pairs...)
	}
}

func (s sink) Error(err error, message string, pairs ...any) {
	if s.bound.take(s.LogSink) {
		s.LogSink.Error(err, message, pairs...)
	}
}

func (s sink) WithValues(pairs ...any) logr.LogSink {
	return sink{s.LogSink.WithValues(pairs...), s.bound}
}

func (s sink) WithName(name string) logr.LogSink { return sink{s.LogSink.WithName(name), s.bound} }
