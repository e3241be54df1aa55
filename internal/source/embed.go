package source

import (
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Embed returns the text of a scalar as a file whose places are those of the
// file the scalar stands in. Key is the values key to name in faults.
func Embed(n *Node, key string) *File {
	outer := *n.Pos.File
	outer.Key = key
	f := &File{Name: outer.Name, Key: key, text: n.Value, size: len(n.Value), lines: index(n.Value)}
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

// align walks the raw text of a scalar beside its value, by the rules of the
// YAML scanner and in one pass. A place without a line (a flag) has no raw
// text: every position is then the flag itself.
func align(outer *File, n *Node) *alignment {
	a := &alignment{file: outer, text: n.Value}
	if n.Pos.Line == 0 || outer.outer != nil {
		return a
	}
	start := outer.offset(n.Pos.Line, n.Pos.Column)
	switch {
	case n.style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		a.block(n.Pos.Line, start, n.style&yaml.FoldedStyle != 0)
	case n.style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		if quote := strings.IndexAny(outer.text[start:], `"'`); quote >= 0 {
			a.flow(outer.text, start+quote+1, outer.text[start+quote])
		}
	default:
		a.flow(outer.text, start, 0)
	}
	return a
}

// lineBreak returns the bytes of a line's end at the start of s, 0 where there
// is none, and how many of them YAML keeps: all but two of Unicode's become \n.
func lineBreak(s string) (size, kept int) {
	switch {
	case strings.HasPrefix(s, "\r\n"):
		return 2, 1
	case strings.HasPrefix(s, "\n"), strings.HasPrefix(s, "\r"):
		return 1, 1
	case strings.HasPrefix(s, "\u0085"):
		return 2, 1
	case strings.HasPrefix(s, "\u2028"), strings.HasPrefix(s, "\u2029"):
		return 3, 3
	}
	return 0, 0
}
