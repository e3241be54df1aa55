package operatortest

import (
	"fmt"
	"strings"

	"github.com/go-logr/logr"
)

// reproaches are what controller-runtime says of a reconciler that was written
// wrongly, and does not fail for.
func reproaches() []string { return []string{"returned both a result"} }

// heard is a log whose reproaches are faults of the test.
func (w *World) heard(log logr.Logger) logr.Logger {
	return logr.New(&listener{to: log.GetSink(), requests: w.Requests})
}

// listener gives all on to a sink, which is nil for none.
type listener struct {
	to       logr.LogSink
	requests *Requests
}

func (l *listener) Init(info logr.RuntimeInfo) {
	if l.to != nil {
		info.CallDepth++
		l.to.Init(info)
	}
}

// Enabled is true of all that a reproach may be told at.
func (l *listener) Enabled(level int) bool { return level == 0 || l.to != nil && l.to.Enabled(level) }

func (l *listener) Info(level int, message string, pairs ...any) {
	for _, words := range reproaches() {
		if strings.Contains(message, words) {
			l.requests.fault(fmt.Sprintf("%s %v", message, pairs))
		}
	}
	if l.to != nil && l.to.Enabled(level) {
		l.to.Info(level, message, pairs...)
	}
}

func (l *listener) Error(err error, message string, pairs ...any) {
	if l.to != nil {
		l.to.Error(err, message, pairs...)
	}
}

func (l *listener) WithValues(pairs ...any) logr.LogSink {
	if l.to == nil {
		return l
	}
	return &listener{to: l.to.WithValues(pairs...), requests: l.requests}
}

func (l *listener) WithName(name string) logr.LogSink {
	if l.to == nil {
		return l
	}
	return &listener{to: l.to.WithName(name), requests: l.requests}
}
