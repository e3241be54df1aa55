package main

import (
	"errors"

	"github.com/runkora/kora/internal/faults"
)

// The exit status says the same in every output format.
const (
	exitDone      = 0
	exitRefused   = 1 // invalid input, or a warning under --strict
	exitUsage     = 2
	exitUnchecked = 3 // a file, registry or cluster out of reach
)

// status is an error that was printed already and only ends the process.
type status int

func (s status) Error() string { return "exit status" }

// usageError is a command line that cannot be understood.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func exitStatus(err error) int {
	var s status
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &s):
		return int(s)
	case errors.As(err, new(usageError)):
		return exitUsage
	}
	return exitUnchecked
}

// statusOf is the exit status of what a run found: what was judged and
// refused counts for more than what could not be read.
func statusOf(found faults.List) int {
	out := exitDone
	for _, f := range found {
		switch {
		case f.Severity == faults.Warning:
		case !f.Code.Unchecked():
			return exitRefused
		default:
			out = exitUnchecked
		}
	}
	return out
}
