package source

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// lines knows where the lines and the runes of a text stand. It is made once
// and shared by every copy of a File: a text of one line may be a megabyte and
// hold a fault at every word, so no look-up may walk the line (R13, R15).
type lines struct {
	starts []int        // byte offset of each line
	marks  []int        // byte offset of every stride-th rune
	hushed map[int]bool // long lines, from 0, of which no part is shown
}

const stride = 128

// index goes by what YAML counts as the end of a line: next to the newline a
// lone carriage return and three breaks of Unicode.
func index(text string) *lines {
	l := &lines{starts: []int{0}}
	n := 0
	for i, c := range text {
		if n%stride == 0 {
			l.marks = append(l.marks, i)
		}
		n++
		switch c {
		case '\n', '\u0085', '\u2028', '\u2029':
			l.starts = append(l.starts, i+utf8.RuneLen(c))
		case '\r':
			if !strings.HasPrefix(text[i+1:], "\n") {
				l.starts = append(l.starts, i+1)
			}
		}
	}
	l.hush(text)
	return l
}

// number is how many runes stand before the offset.
func (l *lines) number(text string, off int) int {
	i := sort.SearchInts(l.marks, off+1) - 1
	if i < 0 {
		return 0
	}
	return i*stride + utf8.RuneCountInString(text[l.marks[i]:off])
}

// offset is the inverse of number, the end of the text for what lies behind it.
func (l *lines) offset(text string, number int) int {
	i := number / stride
	if i >= len(l.marks) {
		return len(text)
	}
	off := l.marks[i]
	for range number % stride {
		_, size := utf8.DecodeRuneInString(text[off:])
		off += size
	}
	return off
}

// span returns where a line, from 0, begins and where its text ends.
func (l *lines) span(text string, line int) (from, to int) {
	from, to = l.starts[line], len(text)
	if line+1 < len(l.starts) {
		to = l.starts[line+1]
	}
	return from, from + len(strings.TrimRight(text[from:to], breaks))
}

// breaks are the characters that end a line.
const breaks = "\r\n\u0085\u2028\u2029"

// place is the line and column, from 1, of an offset.
func (l *lines) place(text string, off int) (line, column int) {
	i := sort.SearchInts(l.starts, off+1) - 1
	return i + 1, l.number(text, off) - l.number(text, l.starts[i]) + 1
}

// hush notes the long lines that may hold a credential in a URL. Who takes a
// credential out of a fault needs to see all of it, and of a long line a fault
// has but a part, which may begin or end within one.
func (l *lines) hush(text string) {
	for i := range l.starts {
		from, to := l.span(text, i)
		if to-from <= wholeLine {
			continue
		}
		for _, sign := range []string{"@", "://", "x40", "0040", "otlpEndpoint"} {
			if strings.Contains(text[from:to], sign) {
				if l.hushed == nil {
					l.hushed = map[int]bool{}
				}
				l.hushed[i] = true
				break
			}
		}
	}
}
