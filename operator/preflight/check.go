package preflight

import "github.com/runkora/kora/operator/preflight/facts"

// Check is one thing that must hold.
type Check struct {
	// ID never changes: it is what --only and a machine's report name.
	ID       string
	Category string
	// Needs are checks that must have passed, or this one has no meaning. They
	// stand before it in the table.
	Needs []string
	// Why says in one sentence what breaks without it.
	Why string
	// applies says why the check is not for this install; empty: it is.
	applies func(Settings) string
	judge   func(*verdict)
	// blocks says of a check that failed whether what needs it has a meaning no
	// more; nil: it has none.
	blocks func(Settings, *facts.Facts) bool
	// alone reports that what this check looks at was read, although a check that
	// it needs could not be decided.
	alone func(Settings, *facts.Facts) bool
	// read reports that what this check looks at is there, although a check that it
	// needs failed: everything that is wrong is told at once.
	read func(*facts.Facts) bool
	// askedAs are the names of --only that mean it, and left is that --skip does.
	askedAs []string
	left    bool
	unmet   bool // it was asked for and left out at once
}

// State is what became of a check.
type State string

// A check that did not run says why: Skipped has BlockedBy or Reason.
// Unchecked is that something could not be read, which is neither.
const (
	Passed    State = "passed"
	Warned    State = "warned"
	Failed    State = "failed"
	Unchecked State = "unchecked"
	Skipped   State = "skipped"
)

// Finding is one thing that is wrong, or that could not be told.
type Finding struct {
	State    State  `json:"state"` // Failed, Warned or Unchecked
	Message  string `json:"message"`
	Object   string `json:"object,omitempty"`
	Field    string `json:"field,omitempty"`
	Found    string `json:"found,omitempty"`
	Expected string `json:"expected,omitempty"`
	Fix      string `json:"fix,omitempty"`
}

// Outcome is one check of one run.
type Outcome struct {
	ID        string   `json:"id"`
	Category  string   `json:"category"`
	Why       string   `json:"why"`
	State     State    `json:"state"`
	BlockedBy []string `json:"blockedBy,omitempty"`
	Reason    string   `json:"reason,omitempty"`
	// Unmet is a check that was asked for and left out, or that needs one that was
	// left out: nothing is wrong, and yet nobody looked.
	Unmet    bool      `json:"unmet,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
}

// verdict is one check while it runs.
type verdict struct {
	Settings
	id    string
	facts *facts.Facts
	found []Finding
}

func (v *verdict) fail(f Finding) { f.State = Failed; v.found = append(v.found, f) }
func (v *verdict) warn(f Finding) { f.State = Warned; v.found = append(v.found, f) }

// unknown is a part that could not be read.
func (v *verdict) unknown(what, why string) { v.unread(what, why, v.wayOut(why)) }

// unread is the same with a way out of its own.
func (v *verdict) unread(what, why, fix string) {
	v.found = append(v.found, Finding{State: Unchecked, Message: what + " could not be read", Found: why, Fix: fix})
}

// known reports whether a part was read, and says so when it was not.
func known[T any](v *verdict, what string, p facts.Part[T]) bool {
	if p.Missing != "" {
		v.unknown(what, p.Missing)
	}
	return p.Missing == ""
}

// state is the worst of what was found.
func (v *verdict) state() State {
	worst := Passed
	for _, f := range v.found {
		if rank(f.State) > rank(worst) {
			worst = f.State
		}
	}
	return worst
}

func rank(s State) int {
	switch s {
	case Failed:
		return 3
	case Unchecked:
		return 2
	case Warned:
		return 1
	}
	return 0
}
