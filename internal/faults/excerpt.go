package faults

import (
	"strings"
	"unicode/utf8"
)

// window is how many runes of a source line are shown at most.
const window = 100

// excerpt returns the part of a source line around column, which counts runes
// from 1, and the blank text that reaches up to it. Tabs stay tabs in both, so
// that the caret stands right whatever the terminal's tab stops are. A column
// behind the end points just behind the line.
func excerpt(source string, column int) (line, lead string) {
	runes := split(source)
	at := min(max(column, 1)-1, len(runes))
	from, to := cut(len(runes), at)
	line, lead = draw(runes[from:to]), blank(runes[from:at])
	if from > 0 {
		line, lead = "…"+line, " "+lead
	}
	if to < len(runes) {
		line += "…"
	}
	return line, lead
}

// split returns the runes of the first line of s; a byte that is not UTF-8 is
// a rune of its own and keeps its value.
func split(s string) []string {
	s, _, _ = strings.Cut(s, "\n")
	s = strings.TrimSuffix(s, "\r")
	runes := make([]string, 0, len(s))
	for len(s) > 0 {
		_, size := utf8.DecodeRuneInString(s)
		runes = append(runes, s[:size])
		s = s[size:]
	}
	return runes
}

// cut returns the window of a line of n runes that has at in its middle.
func cut(n, at int) (from, to int) {
	from = max(min(at-window/2, n-window), 0)
	return from, min(from+window, n)
}

func draw(runes []string) string {
	var b strings.Builder
	for _, r := range runes {
		if r != "\t" {
			r = visible(r)
		}
		b.WriteString(r)
	}
	return b.String()
}

func blank(runes []string) string {
	var b strings.Builder
	for _, r := range runes {
		if r == "\t" {
			b.WriteString(r)
			continue
		}
		b.WriteString(strings.Repeat(" ", cells(visible(r))))
	}
	return b.String()
}
