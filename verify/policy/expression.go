package policy

import (
	"regexp/syntax"
	"strings"

	"github.com/runkora/kora/internal/faults"
)

// maxExpression bounds an identity expression in bytes.
const maxExpression = 2000

// openings warns about an expression that takes more than it seems to, or
// that another tool would take for a beginning (R45). It judges the syntax
// tree: .*, [^x]+ and \S{1,99} are written in many ways and mean the same.
func openings(expression string) faults.List {
	// A version at the end, as kora's own expression has it, ends by itself.
	closed := expression
	if rest, ok := strings.CutSuffix(expression, semver+"$"); ok {
		closed = rest + "1$"
	}
	tree, err := syntax.Parse(closed, syntax.Perl)
	if err != nil {
		return nil // whole has refused it
	}
	var o open
	o.walk(tree, place{first: true, last: true})
	var found faults.List
	for _, w := range []struct {
		is      bool
		message string
	}{
		{!begins(tree), "the expression does not begin with ^: it is matched from the beginning of the identity all the same"},
		{!finishes(tree), "the expression does not end in $: it has to match the identity to its end, and is no beginning of one"},
		{o.end, "an end of the expression matches any text, so that other workflows, branches or repositories are let in"},
		{o.inner, "a part of the expression matches any text of its kind, so that other owners, repositories, workflows or branches are let in"},
		{o.dot, "a dot that is not escaped stands for any character"},
		{o.fold, "the flag i takes capital letters for small ones, and files and branches may differ by them alone"},
	} {
		if w.is {
			f := faults.New(faults.OpenIdentity, w.message)
			f.Field, f.Found = "identity expression", expression
			f.Fix = `write the whole identity between ^ and $, and each dot as \.`
			found = append(found, f)
		}
	}
	return found
}

// begins reports whether every way through the expression begins with ^.
func begins(re *syntax.Regexp) bool { return anchored(re, syntax.OpBeginText, 0) }

// finishes is begins for $.
func finishes(re *syntax.Regexp) bool { return anchored(re, syntax.OpEndText, -1) }

func anchored(re *syntax.Regexp, anchor syntax.Op, at int) bool {
	switch re.Op {
	case anchor:
		return true
	case syntax.OpCapture:
		return anchored(re.Sub[0], anchor, at)
	case syntax.OpConcat:
		return anchored(re.Sub[(at+len(re.Sub))%len(re.Sub)], anchor, at)
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			if !anchored(s, anchor, at) {
				return false
			}
		}
		return true
	}
	return false
}
