package source

import "strings"

// folding is what the YAML scanner keeps in mind between two lines of text.
type folding struct {
	on    bool // the style is folded
	lead  int  // bytes of the value that the break before would be
	trail int  // bytes of the value that empty lines after it are
	blank bool // the line before begins with a blank, which forbids to fold
}

// width is how much of the value stands between two lines of text: a folded
// break is a blank, or nothing before empty lines.
func (f folding) width(blank bool) int {
	if !f.on || f.blank || blank || f.lead != 1 {
		return f.lead + f.trail
	}
	return max(f.trail, 1)
}

// block walks a literal or folded scalar whose header stands at line.
func (a *alignment) block(line, start int, folded bool) {
	l, raw := a.file.lines, a.file.text
	indent := a.blockIndent(line, start)
	fold := folding{on: folded}
	for inner, i := 0, line; inner < len(a.text) && i < len(l.starts); i++ {
		from, end := l.span(raw, i)
		_, kept := lineBreak(raw[end:])
		from += min(blanks(raw[from:end]), indent)
		if from == end { // an empty line: blanks and a break
			if !folded {
				a.add(inner+fold.lead+fold.trail, from)
			}
			fold.trail += kept
			continue
		}
		blank := raw[from] == ' ' || raw[from] == '\t'
		inner += fold.width(blank)
		a.add(inner, from)
		inner += end - from
		fold = folding{on: folded, lead: kept, blank: blank}
	}
}

// blanks counts the spaces that a line begins with.
func blanks(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// blockIndent is the indentation of a block scalar's content: what its first
// line that is not blank has. An indicator such as "|2" counts from the
// parent's indentation, which the first line can only exceed.
func (a *alignment) blockIndent(line, start int) int {
	l, raw := a.file.lines, a.file.text
	from, end := l.span(raw, line-1)
	header, _, _ := strings.Cut(raw[start:max(start, end)], "#")
	if d := strings.IndexAny(indicators(header), "123456789"); d >= 0 {
		before := raw[from:start]
		return len(before) - len(strings.TrimLeft(before, " -")) + int(indicators(header)[d]-'0')
	}
	for i := line; i < len(l.starts); i++ {
		from, end := l.span(raw, i)
		if n := blanks(raw[from:end]); from+n < end {
			return n
		}
	}
	return 0
}

// indicators is what stands behind the mark of a block scalar: a tag or anchor
// before it may hold digits too.
func indicators(header string) string {
	if i := strings.LastIndexAny(header, "|>"); i >= 0 {
		return header[i:]
	}
	return header
}
