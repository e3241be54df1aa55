package policy

import (
	"regexp/syntax"
	"slices"
)

// open is what a walk over an expression found in it.
type open struct {
	end   bool // a free choice of letters at the first or last place
	inner bool // the same elsewhere
	dot   bool // a dot that stands for one character
	fold  bool // letters of either case
}

// place is where in the expression a part is.
type place struct {
	first, last bool
	repeated    bool // it may stand there more than once
}

func (o *open) walk(re *syntax.Regexp, at place) {
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpCharClass:
		o.class(re, at)
	case syntax.OpLiteral:
		o.fold = o.fold || re.Flags&syntax.FoldCase != 0 && slices.ContainsFunc(re.Rune, letter)
	case syntax.OpStar, syntax.OpPlus:
		at.repeated = true
	case syntax.OpRepeat:
		at.repeated = at.repeated || re.Max != re.Min || re.Max > 1
	case syntax.OpConcat:
		o.concat(re.Sub, at)
		return
	}
	for _, s := range re.Sub {
		o.walk(s, at)
	}
}

// concat gives each part its place; anchors take none.
func (o *open) concat(parts []*syntax.Regexp, at place) {
	text := slices.DeleteFunc(slices.Clone(parts), anchor)
	for i, part := range text {
		here := at
		here.first, here.last = at.first && i == 0, at.last && i == len(text)-1
		o.walk(part, here)
	}
}

func anchor(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpEmptyMatch:
		return true
	}
	return false
}

func (o *open) class(re *syntax.Regexp, at place) {
	switch {
	case !at.repeated && re.Op != syntax.OpCharClass:
		o.dot = true
	case !free(re):
	case at.first || at.last:
		o.end = true
	default:
		o.inner = true
	}
}

// free reports whether a class leaves a name open: it holds more letters than
// the two cases of one, or what parts an identity, and not that alone.
func free(re *syntax.Regexp) bool {
	if re.Op != syntax.OpCharClass {
		return true
	}
	letters, size, parts := 0, 0, false
	for i := 0; i+1 < len(re.Rune); i += 2 {
		low, high := re.Rune[i], re.Rune[i+1]
		size += int(high - low + 1)
		letters += overlap(low, high, 'a', 'z') + overlap(low, high, 'A', 'Z') + overlap(low, high, 0x80, 0x10ffff)
		parts = parts || overlap(low, high, '/', '/')+overlap(low, high, '@', '@') > 0
	}
	return letters > 2 || parts && size > 1
}

func overlap(low, high, from, to rune) int { return max(0, int(min(high, to)-max(low, from))+1) }

func letter(r rune) bool {
	return overlap(r, r, 'a', 'z')+overlap(r, r, 'A', 'Z')+overlap(r, r, 0x80, 0x10ffff) > 0
}
