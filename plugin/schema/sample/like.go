package sample

import (
	"regexp/syntax"
	"strings"
)

// like makes a text that matches a pattern, empty where the pattern is none.
func like(m *maker, pattern string) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	var b strings.Builder
	m.write(&b, tree)
	return b.String()
}

func (m *maker) write(b *strings.Builder, re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(m.rune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			m.write(b, sub)
		}
	case syntax.OpAlternate:
		m.write(b, pick(m, re.Sub))
	case syntax.OpQuest:
		m.repeat(b, re.Sub[0], 0, 1)
	case syntax.OpStar:
		m.repeat(b, re.Sub[0], 0, 6)
	case syntax.OpPlus:
		m.repeat(b, re.Sub[0], 1, 6)
	case syntax.OpRepeat:
		most := re.Max
		if most < 0 {
			most = re.Min + 6
		}
		m.repeat(b, re.Sub[0], re.Min, max(re.Min, min(most, re.Min+12)))
	}
}

func (m *maker) repeat(b *strings.Builder, re *syntax.Regexp, least, most int) {
	for range least + m.random.IntN(most-least+1) {
		m.write(b, re)
	}
}

// rune is one of a class, and printable where the class has such.
func (m *maker) rune(ranges []rune) rune {
	for range 20 {
		i := 2 * m.random.IntN(len(ranges)/2)
		low, high := ranges[i], min(ranges[i+1], ranges[i]+0x5e)
		if r := low + m.random.Int32N(high-low+1); r > ' ' && r < 0x7f {
			return r
		}
	}
	return ranges[0]
}
