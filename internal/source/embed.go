package source

import (
	"sort"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Embed returns the text of a scalar as a file whose places are those of the
// file the scalar stands in. Key is the values key to name in faults.
func Embed(n *Node, key string) *File {
	outer := *n.Pos.File
	outer.Key = key
	f := &File{Name: outer.Name, Key: key, text: n.Value, lines: lineStarts(n.Value)}
	if !n.raw {
		f.outer = align(&outer, n)
	}
	return f
}

// Text returns a scalar node that holds the whole text of f, for a value that
// was given as a file of its own.
func Text(f *File) *Node {
	return &Node{Kind: Scalar, Tag: "!!str", Value: f.text, Pos: Pos{f, 1, 1}, raw: true}
}

// alignment says where each stretch of an embedded text stands outside.
type alignment struct {
	file   *File
	text   string
	pieces []piece
}

// piece: from the text's offset inner on, bytes stand at the file's offset
// outer on, one to one, until the next piece.
type piece struct{ inner, outer int }

func (a *alignment) at(off int) Pos {
	if len(a.pieces) == 0 {
		return Pos{File: a.file}
	}
	i := max(sort.Search(len(a.pieces), func(i int) bool { return a.pieces[i].inner > off })-1, 0)
	p := a.pieces[i]
	line, column := a.file.place(min(p.outer+max(off-p.inner, 0), len(a.file.text)))
	return Pos{a.file, line, column}
}

func (a *alignment) add(inner, outer int) {
	if n := len(a.pieces); n > 0 {
		last := a.pieces[n-1]
		if inner-last.inner == outer-last.outer {
			return
		}
		if inner == last.inner {
			a.pieces[n-1].outer = outer
			return
		}
	}
	a.pieces = append(a.pieces, piece{inner, outer})
}

// align walks the raw text of a scalar beside its value. A place without a
// line (a flag) has no raw text: every position is then the flag itself.
func align(outer *File, n *Node) *alignment {
	a := &alignment{file: outer, text: n.Value}
	if n.Pos.Line == 0 || outer.outer != nil {
		return a
	}
	start := outer.offset(n.Pos.Line, n.Pos.Column)
	switch {
	case n.style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		a.block(outer.text, start)
	case n.style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		quote := strings.IndexAny(outer.text[start:], `"'`)
		a.flow(outer.text, start+quote+1, outer.text[start+quote])
	default:
		a.flow(outer.text, start, 0)
	}
	return a
}

// block walks a literal or folded scalar: each of its lines, less the
// indentation, is found again in the value in order.
func (a *alignment) block(raw string, start int) {
	i := start + strings.IndexByte(raw[start:], '\n') + 1
	indent := blockIndent(raw[start:i], raw[i:], start, raw)
	inner := 0
	for inner < len(a.text) && i < len(raw) {
		end := lineEnd(raw, i)
		from := min(i+indent, end)
		line := strings.TrimSuffix(raw[from:end], "\r")
		inner += separator(a.text[inner:], line)
		a.add(inner, from)
		inner += len(line)
		i = end + 1
	}
}

func lineEnd(text string, from int) int {
	if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
		return from + n
	}
	return len(text)
}

// separator counts the breaks and folded blanks before line in rest.
func separator(rest, line string) int {
	n := 0
	for n < len(rest) && (rest[n] == '\n' || rest[n] == ' ') && !strings.HasPrefix(rest[n:], line) {
		n++
	}
	for line == "" && n < len(rest) && rest[n] == '\n' {
		return n
	}
	if line != "" && n < len(rest) && rest[n] == '\n' && strings.HasPrefix(rest[n+1:], line) && !strings.HasPrefix(rest[n:], line) {
		n++
	}
	return n
}

// blockIndent is the indentation of a block scalar's content: what its first
// line that is not blank has. An indicator such as "|2" counts from the
// parent's indentation, which the first line can only exceed.
func blockIndent(header, body string, start int, raw string) int {
	parent := 0
	if d := strings.IndexAny(header, "123456789"); d >= 0 && !strings.Contains(header[:d], "#") {
		lineStart := strings.LastIndexByte(raw[:start], '\n') + 1
		parent = len(raw[lineStart:start]) - len(strings.TrimLeft(raw[lineStart:start], " -"))
		return parent + int(header[d]-'0')
	}
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimSpace(line) != "" {
			return len(line) - len(strings.TrimLeft(line, " "))
		}
	}
	return 0
}

// flow walks a quoted (quote is its mark) or plain (0) scalar, whose line
// breaks are folded and whose escapes may be longer than what they mean.
func (a *alignment) flow(raw string, i int, quote byte) {
	for inner := 0; inner < len(a.text) && i < len(raw); {
		width := 0
		if i, width = a.step(raw, i, inner, quote); width == 0 {
			continue
		}
		inner += width
	}
}

// step consumes one unit of the raw text and says how much of the value it is.
func (a *alignment) step(raw string, i, inner int, quote byte) (next, width int) {
	rest := raw[i:]
	blank := len(rest) - len(strings.TrimLeft(rest, " \t\r"))
	if blank < len(rest) && rest[blank] == '\n' {
		return a.fold(raw, i, inner)
	}
	_, size := utf8.DecodeRuneInString(a.text[inner:])
	a.add(inner, i)
	switch {
	case quote == '"' && rest[0] == '\\':
		return a.escape(rest, i, size)
	case quote == '\'' && strings.HasPrefix(rest, "''"):
		return i + 2, size
	}
	return i + size, size
}

// fold skips a line break with the blanks around it: one break is a space in
// the value, each further one a newline.
func (a *alignment) fold(raw string, i, inner int) (next, width int) {
	n := len(raw[i:]) - len(strings.TrimLeft(raw[i:], " \t\r\n"))
	breaks := strings.Count(raw[i:i+n], "\n")
	if breaks == 1 {
		return i + n, 1
	}
	return i + n, min(breaks-1, len(a.text)-inner)
}

func (a *alignment) escape(rest string, i, size int) (next, width int) {
	if len(rest) < 2 {
		return i + 1, size
	}
	switch rest[1] {
	case '\n', '\r':
		n := len(rest[1:]) - len(strings.TrimLeft(rest[1:], " \t\r\n"))
		return i + 1 + n, 0
	case 'x':
		return i + 4, size
	case 'u':
		return i + 6, size
	case 'U':
		return i + 10, size
	}
	return i + 2, size
}
