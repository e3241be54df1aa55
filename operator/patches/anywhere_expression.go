package patches

import (
	"regexp/syntax"
	"strings"
)

// meets is true where the expression matches some text that begins and ends so and
// has letters, digits and hyphens between. It walks the expression's program and the
// text side by side, each place of both once; where the expression looks around, as
// at the edge of a word, it is taken to find what it looks for.
func (e *expression) meets(before, after string) bool {
	if e.re == nil {
		rest, begins := strings.CutPrefix(e.word, before)
		between, ends := strings.CutSuffix(rest, after)
		return e.any || begins && ends && between != "" && strings.Trim(between, slugLetters) == ""
	}
	tree, err := syntax.Parse(e.re.String(), syntax.Perl)
	if err != nil {
		return true
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return true
	}
	w := &meeting{program: program, text: []rune(before + "\x00" + after), seen: map[[2]int]bool{}}
	return w.from(int(program.Start), 0)
}

const slugLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"

// meeting looks for a way through a program and a text; a zero in the text stands for
// one character or more between.
type meeting struct {
	program *syntax.Prog
	text    []rune
	seen    map[[2]int]bool
}

func (w *meeting) from(pc, at int) bool {
	if w.seen[[2]int{pc, at}] {
		return false
	}
	w.seen[[2]int{pc, at}] = true
	switch in := &w.program.Inst[pc]; in.Op {
	case syntax.InstMatch:
		return at == len(w.text)
	case syntax.InstAlt, syntax.InstAltMatch:
		return w.from(int(in.Out), at) || w.from(int(in.Arg), at)
	case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
		return w.from(int(in.Out), at)
	case syntax.InstFail:
		return false
	default:
		return w.rune(in, at)
	}
}

// rune takes one character of the text; of those between, it stays or goes on.
func (w *meeting) rune(in *syntax.Inst, at int) bool {
	if at == len(w.text) {
		return false
	}
	if r := w.text[at]; r != 0 {
		return in.MatchRune(r) && w.from(int(in.Out), at+1)
	}
	for _, r := range slugLetters {
		if in.MatchRune(r) {
			return w.from(int(in.Out), at+1) || w.from(int(in.Out), at)
		}
	}
	return false
}
