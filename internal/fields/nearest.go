package fields

import "strings"

// Nearest returns the candidate that is most like name: the same but for
// case, begun by it, or at most a third of its letters away. Empty where none
// is near.
func Nearest(name string, candidates []string) string {
	best, least := "", (len(name)+2)/3 // one letter of three, two of four to six
	for _, c := range candidates {
		if strings.EqualFold(c, name) {
			return c
		}
		d := distance(strings.ToLower(name), strings.ToLower(c), least)
		if len(name) > 3 && len(c) <= 2*len(name) && strings.HasPrefix(strings.ToLower(c), strings.ToLower(name)) {
			d = min(d, 2) // cut short: NoExec
		}
		if d < least || d == least && best == "" {
			best, least = c, d
		}
	}
	return best
}

// distance counts the letters to add, drop, change or swap to make b of a; it
// stops looking beyond limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > 200 {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
