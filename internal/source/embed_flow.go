package source

import (
	"strings"
	"unicode/utf8"
)

// flow walks a quoted (quote is its mark) or plain (0) scalar, whose line
// breaks are folded and whose escapes may be longer than what they mean.
func (a *alignment) flow(raw string, i int, quote byte) {
	for inner := 0; inner < len(a.text) && i < len(raw); {
		if size, _ := lineBreak(raw[i:]); size > 0 || raw[i] == ' ' || raw[i] == '\t' {
			i, inner = a.white(raw, i, inner, false)
			continue
		}
		a.add(inner, i)
		switch {
		case quote == '"' && raw[i] == '\\':
			i, inner = a.escape(raw, i, inner)
		case quote == '\'' && strings.HasPrefix(raw[i:], "''"):
			i, inner = i+2, inner+1
		default:
			_, size := utf8.DecodeRuneInString(raw[i:])
			i, inner = i+size, inner+size
		}
	}
}

// white skips blanks and line breaks. Without a break they stay; with breaks
// the first is a space, the others stay, and the blanks around them are gone.
// A break that was escaped is nothing.
func (a *alignment) white(raw string, i, inner int, escaped bool) (next, after int) {
	start, folded, lead, trail := i, escaped, 0, 0
	for i < len(raw) {
		size, kept := lineBreak(raw[i:])
		switch {
		case size == 0 && raw[i] != ' ' && raw[i] != '\t':
			return i, inner + a.joined(start, i, inner, folded, lead, trail)
		case size == 0:
			i++
			continue
		case folded:
			trail += kept
		default:
			folded, lead = true, kept
		}
		i += size
	}
	return i, len(a.text)
}

func (a *alignment) joined(start, end, inner int, folded bool, lead, trail int) int {
	width := end - start
	switch {
	case folded && lead == 1:
		width = max(trail, 1)
	case folded:
		width = lead + trail
	}
	if width > 0 {
		a.add(inner, start)
	}
	return width
}

// escape skips a backslash and what belongs to it.
func (a *alignment) escape(raw string, i, inner int) (next, after int) {
	if i+1 == len(raw) {
		return len(raw), inner
	}
	if size, _ := lineBreak(raw[i+1:]); size > 0 {
		return a.white(raw, i+1+size, inner, true)
	}
	_, width := utf8.DecodeRuneInString(a.text[inner:])
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[raw[i+1]]
	return i + 2 + digits, inner + width
}
