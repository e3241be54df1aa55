package patches

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// Bounds of a target's texts: a thousand targets are held for as long as
// kora-agents runs, and few characters can make a large expression.
const (
	maxSelector   = 1000 // bytes of a label selector
	maxExpression = 500  // bytes of a regular expression
	maxSteps      = 500  // steps of a regular expression, repetitions written out
)

// expression is an anchored regular expression, as kustomize makes one of a
// target's field: an empty one matches everything.
type expression struct {
	any  bool
	word string // matches this alone, where there is nothing to compile
	re   *regexp.Regexp
}

func newExpression(text string) (*expression, error) {
	if text == "" {
		return &expression{any: true}, nil
	}
	if regexp.QuoteMeta(text) == text {
		return &expression{word: text}, nil
	}
	re, err := regexp.Compile("^(?:" + text + ")$")
	return &expression{re: re}, err
}

func (e *expression) matches(s string) bool {
	if e.re != nil {
		return e.re.MatchString(s)
	}
	return e.any || e.word == s
}

// begins are the plain letters that all it matches begins with, and whether it is those
// alone.
func (e *expression) begins() (text string, whole bool) {
	if e.re == nil {
		return e.word, true
	}
	text = strings.TrimPrefix(e.re.String(), "^(?:")
	if strings.Contains(text, "|") {
		return "", false
	}
	text = text[:strings.IndexAny(text, `\.+*?()[]{}^$`)] // there is the end at least
	return text, false
}

// steps estimates how large the program of an expression is, before anything is
// built: repetitions are written out in it.
func steps(re *syntax.Regexp) int {
	own := 1
	switch re.Op {
	case syntax.OpLiteral:
		own = len(re.Rune)
	case syntax.OpCharClass:
		own = 1 + len(re.Rune)/8
	case syntax.OpCapture:
		own = 2
	}
	for _, sub := range re.Sub {
		own += steps(sub)
	}
	if re.Op == syntax.OpRepeat {
		own *= max(re.Min, re.Max, 1)
	}
	return own
}
