package preflight

import "slices"

// Judged are the ids of the checks that are not left out, and need none that is:
// for them alone something has to be looked at. It is never nil.
func Judged(checks []Check) []string {
	out, without := []string{}, map[string]bool{}
	for _, c := range checks {
		if c.left || slices.ContainsFunc(c.Needs, func(need string) bool { return without[need] }) {
			without[c.ID] = true
			continue
		}
		out = append(out, c.ID)
	}
	return out
}
