package source

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/runkora/kora/internal/faults"
)

// File is a named text. Its name is what the user typed: a path, or a flag.
type File struct {
	Name string
	// Key is the values key under which an embedded text lies, else empty.
	Key string

	text  string
	lines []int // byte offset at which each line starts
	outer *alignment
}

// NewFile returns a file of its own, not embedded in another.
func NewFile(name, text string) *File {
	return &File{Name: name, text: text, lines: lineStarts(text)}
}

// Text returns the whole text.
func (f *File) Text() string { return f.text }

// Pos is a place in a file; Line and Column count from 1, 0 means unknown.
type Pos struct {
	File         *File
	Line, Column int
}

// At returns the place that line and column of f have in the file a person
// can open: the outer one when f is embedded.
func (f *File) At(line, column int) Pos {
	if f.outer == nil {
		return Pos{f, line, column}
	}
	return f.outer.at(f.offset(line, column))
}

// Line returns the text of a line without its end, empty when there is none.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	rest := f.text[f.lines[n-1]:]
	if n < len(f.lines) {
		rest = f.text[f.lines[n-1]:f.lines[n]]
	}
	return strings.TrimRight(rest, "\r\n\u0085\u2028\u2029")
}

// Fault returns a fault of the given code at this place.
func (p Pos) Fault(code faults.Code, message string) faults.Fault {
	f := faults.New(code, message)
	if p.File == nil {
		return f
	}
	f.File, f.Key = p.File.Name, p.File.Key
	f.Line, f.Column = p.Line, p.Column
	f.Source = p.File.Line(p.Line)
	return f
}

// Move returns the fault at another place, or as it was where there is none.
func (p Pos) Move(f faults.Fault) faults.Fault {
	if p.File == nil {
		return f
	}
	moved := p.Fault(f.Code, f.Message)
	f.File, f.Key, f.Line, f.Column, f.Source = moved.File, moved.Key, moved.Line, moved.Column, moved.Source
	return f
}

// offset is the byte offset of a place in f's own text.
func (f *File) offset(line, column int) int {
	if line < 1 || len(f.lines) == 0 {
		return 0
	}
	off := f.lines[min(line, len(f.lines))-1]
	for ; column > 1 && off < len(f.text) && f.text[off] != '\n'; column-- {
		_, size := utf8.DecodeRuneInString(f.text[off:])
		off += size
	}
	return off
}

// place is the inverse of offset.
func (f *File) place(off int) (line, column int) {
	i := sort.SearchInts(f.lines, off+1) - 1
	return i + 1, utf8.RuneCountInString(f.text[f.lines[i]:off]) + 1
}

// lineStarts goes by what YAML counts as the end of a line: next to the
// newline a lone carriage return and three breaks of Unicode.
func lineStarts(text string) []int {
	starts := []int{0}
	for i, c := range text {
		switch {
		case c == '\n', c == '\u0085', c == '\u2028', c == '\u2029', c == '\r' && !strings.HasPrefix(text[i+1:], "\n"):
			starts = append(starts, i+utf8.RuneLen(c))
		}
	}
	return starts
}

// Under returns the place with the values key that faults there shall name.
func (p Pos) Under(key string) Pos {
	if p.File == nil {
		return p
	}
	file := *p.File
	file.Key = key
	p.File = &file
	return p
}
