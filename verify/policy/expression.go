package policy

import (
	"regexp/syntax"

	"github.com/runkora/kora/internal/faults"
)

// maxExpression bounds an identity expression in bytes.
const maxExpression = 2000

// openings warns about an expression that takes more than it seems to, or
// that another tool would take for a beginning (R45).
func openings(expression string) faults.List {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil // whole has refused it
	}
	var found faults.List
	warn := func(message string) {
		f := faults.New(faults.OpenIdentity, message)
		f.Field, f.Found = "identity expression", expression
		f.Fix = `write the whole identity between ^ and $, and each dot as \.`
		found = append(found, f)
	}
	parts := sequence(tree)
	if len(parts) == 0 || parts[0].Op != syntax.OpBeginText {
		warn("the expression does not begin with ^: it is matched from the beginning of the identity all the same")
	}
	if len(parts) == 0 || parts[len(parts)-1].Op != syntax.OpEndText {
		warn("the expression does not end in $: it has to match the identity to its end, and is no beginning of one")
	}
	for _, side := range ends(parts) {
		if anything(side) {
			warn("an end of the expression matches any text, so that other workflows, branches or repositories are let in")
			break
		}
	}
	if looseDot(tree) {
		warn("a dot that is not escaped stands for any character")
	}
	return found
}

// sequence returns the parts that follow one another, without groups around.
func sequence(re *syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpCapture:
		return sequence(re.Sub[0])
	case syntax.OpConcat:
		return re.Sub
	}
	return []*syntax.Regexp{re}
}

// ends returns the first and the last part between the anchors.
func ends(parts []*syntax.Regexp) []*syntax.Regexp {
	for len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
		parts = parts[1:]
	}
	for len(parts) > 0 && parts[len(parts)-1].Op == syntax.OpEndText {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return nil
	}
	return []*syntax.Regexp{parts[0], parts[len(parts)-1]}
}

// anything reports whether a part takes any text, such as .* or (.+)?.
func anything(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpCapture, syntax.OpQuest:
		return anything(re.Sub[0])
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		return anyChar(re.Sub[0]) || anything(re.Sub[0])
	case syntax.OpConcat:
		return anything(re.Sub[0]) || anything(re.Sub[len(re.Sub)-1])
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			if anything(s) {
				return true
			}
		}
	}
	return false
}

func anyChar(re *syntax.Regexp) bool {
	return re.Op == syntax.OpAnyChar || re.Op == syntax.OpAnyCharNotNL
}

// looseDot finds a dot that stands for exactly one character.
func looseDot(re *syntax.Regexp) bool {
	if anyChar(re) {
		return true
	}
	repeated := re.Op == syntax.OpStar || re.Op == syntax.OpPlus || re.Op == syntax.OpRepeat
	for _, s := range re.Sub {
		if !(repeated && anyChar(s)) && looseDot(s) {
			return true
		}
	}
	return false
}
