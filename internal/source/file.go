package source

import (
	"github.com/runkora/kora/internal/faults"
)

// File is a named text. Its name is what the user typed: a path, or a flag.
type File struct {
	Name string
	// Key is the values key under which an embedded text lies, else empty.
	Key string

	text  string
	size  int // bytes on disk, which a UTF-16 file has more of
	lines *lines
	outer *alignment
}

// NewFile returns a file of its own, not embedded in another. A byte order mark
// is no part of the text, and UTF-16 is read as UTF-8.
func NewFile(name, text string) *File {
	utf8 := decode(text)
	return &File{Name: name, text: utf8, size: max(len(text), len(utf8)), lines: index(utf8)}
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
	if n < 1 || n > len(f.lines.starts) {
		return ""
	}
	from, to := f.lines.span(f.text, n-1)
	return f.text[from:to]
}

// A line of at most wholeLine bytes is shown to a fault as a whole, of a longer
// one the aside runes to either side of the column: as much as a printer shows.
const (
	wholeLine = 400
	aside     = 120
)

// around returns the part of a line that a fault shows, and the column at which
// it starts, 0 for the whole line.
func (f *File) around(line, column int) (text string, from int) {
	text = f.Line(line)
	if len(text) <= wholeLine {
		return text, 0
	}
	if f.lines.hushed[line-1] {
		return "", 0
	}
	start := f.lines.starts[line-1]
	first, end := f.lines.number(f.text, start)-1, start+len(text)
	column = max(min(column, len(text)), 1)
	from = max(column-aside, 1)
	left := min(f.lines.offset(f.text, first+from), end)
	right := min(f.lines.offset(f.text, first+column+aside), end)
	return f.text[left:right], from
}

// Fault returns a fault of the given code at this place.
func (p Pos) Fault(code faults.Code, message string) faults.Fault {
	f := faults.New(code, message)
	if p.File == nil {
		return f
	}
	f.File, f.Key = p.File.Name, p.File.Key
	f.Line, f.Column = p.Line, p.Column
	f.Source, f.SourceFrom = p.File.around(p.Line, p.Column)
	return f
}

// Move returns the fault at another place, or as it was where there is none.
func (p Pos) Move(f faults.Fault) faults.Fault {
	if p.File == nil {
		return f
	}
	f.File, f.Key, f.Line, f.Column = p.File.Name, p.File.Key, p.Line, p.Column
	f.Source, f.SourceFrom = p.File.around(p.Line, p.Column)
	return f
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

// offset is the byte offset of a place in f's own text.
func (f *File) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	line = min(line, len(f.lines.starts))
	from, to := f.lines.span(f.text, line-1)
	return min(f.lines.offset(f.text, f.lines.number(f.text, from)+max(column, 1)-1), to)
}

// place is the inverse of offset.
func (f *File) place(off int) (line, column int) { return f.lines.place(f.text, off) }
