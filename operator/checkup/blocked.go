package checkup

import "github.com/runkora/kora/operator/preflight"

// blocked reports whether nobody looked at a check, since one that it needs does not
// hold.
func blocked(o preflight.Outcome) bool { return len(o.BlockedBy) > 0 }

// seen are the outcomes by their checks' ids, of one that was blocked what was wrong
// with it before.
func (k kept) seen() map[string]preflight.Outcome {
	out := map[string]preflight.Outcome{}
	for _, o := range k.blocked {
		out[o.ID] = o
	}
	for _, o := range k.outcomes {
		if !blocked(o) {
			out[o.ID] = o
		}
	}
	return out
}

// waiting are those of the checks that are blocked now with which something was wrong
// when they were last judged: what comes after is compared with that. Never nil.
func waiting(last map[string]preflight.Outcome, now []preflight.Outcome) []preflight.Outcome {
	out := []preflight.Outcome{}
	for _, o := range now {
		if was, known := last[o.ID]; known && blocked(o) && bad(was) {
			out = append(out, was)
		}
	}
	return out
}
