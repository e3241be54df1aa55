package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// A path is run only where it is made of what cannot grow: steps into an object,
// choices among what is there, and comparisons with constants. What builds values
// (sums, texts of texts, lists, reduce) may take all memory within its second, and is
// left to Argo CD, with a warning (R40).

// plainCalls are the functions that such a path may call, by their arguments.
var plainCalls = []map[string]bool{
	{"first": true, "last": true, "not": true, "empty": true, "length": true, "type": true, "any": true, "all": true, "null": true, "true": true, "false": true, "error": true, "ascii_downcase": true},
	{"select": true, "first": true, "last": true, "map": true, "startswith": true, "endswith": true, "test": true, "contains": true, "has": true, "any": true, "all": true, "getpath": true},
}

// mostWidth is more than the fields that a person names in one path.
const mostWidth = 200

// mostTexts is how many texts of a path are tried as the name of a webhook.
const mostTexts = 10

// entriesFor is how many webhooks a path is run over: more than any number in it.
func entriesFor(path string) int {
	count := 3
	for _, n := range numbers.FindAllString(path, 20) {
		if i, err := strconv.Atoi(n); err == nil {
			count = max(count, i+2)
		}
	}
	return count
}

// effort is how many places a path is brought to, over all of its runs; 0 where it
// is not run.
func effort(path string) int {
	query, err := gojq.Parse(path)
	if err != nil || len(path) > maxPath {
		return 0
	}
	n := width(query)
	if n > mostWidth || n*entriesFor(path) > mostEffort {
		return 0
	}
	return n * entriesFor(path) * (1 + len(literals.FindAllString(path, mostTexts)))
}

// The most that one run of a path takes, and all paths of one look.
const (
	mostEffort = 5_000
	allEffort  = 50_000
)

// budget is what is left for the paths of one look, and whether its end was told.
type budget struct {
	left int
	told bool
}

// spend reports whether a path may be run, and tells the first that may not.
func (b *budget) spend(a *app, p *source.Node) (bool, faults.List) {
	n := effort(p.Value)
	if b == nil || n <= b.left {
		if b != nil {
			b.left -= n
		}
		return true, nil
	}
	if b.told {
		return false, nil
	}
	b.told = true
	f := a.fault(p, faults.NothingToLint, "spec.ignoreDifferences.jqPathExpressions", "the jq paths are too many to be run over webhooks: this one and others behind it were not judged")
	f.Fix = "give --lint fewer files at a time"
	return false, faults.List{f}
}

// width is a bound of how often a path may name one place of an object, beyond what
// is in it: the sum of its branches, and the product of its steps. It is above
// mostWidth where the path holds what may grow.
func width(q *gojq.Query) int { return walk{}.query(q) }

// walk is the way through a path; of constants alone, through a list of them.
type walk struct{ constants bool }

func (w walk) query(q *gojq.Query) int {
	switch {
	case q == nil:
		return 1
	case q.Meta != nil || len(q.Imports) > 0 || len(q.FuncDefs) > 0 || !named(q.Patterns):
		return mostWidth + 1
	case q.Term != nil:
		return w.term(q.Term)
	case w.constants && q.Op != gojq.OpComma:
		return mostWidth + 1
	}
	left, right := w.query(q.Left), w.query(q.Right)
	switch q.Op {
	case gojq.OpComma, gojq.OpAlt:
		return bounded(left + right)
	case gojq.OpPipe, gojq.OpOr, gojq.OpAnd, gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		return bounded(left * right)
	}
	return mostWidth + 1
}

// named reports variables that each are the whole of what they stand for, as in
// ".webhooks[] as $w | …": they hold what is there, and build nothing.
func named(patterns []*gojq.Pattern) bool {
	return !slices.ContainsFunc(patterns, func(p *gojq.Pattern) bool { return p.Name == "" })
}

func bounded(n int) int { return min(n, mostWidth+1) }

func (w walk) term(t *gojq.Term) int {
	if w.constants && (len(t.SuffixList) > 0 || !scalar(t.Type)) {
		return mostWidth + 1
	}
	n := mostWidth + 1
	switch t.Type {
	case gojq.TermTypeIdentity, gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse, gojq.TermTypeNumber:
		n = 1
	case gojq.TermTypeRecurse: // a descent ends, and one below another may be long
		n = mostWidth / 10
	case gojq.TermTypeString:
		n = ofText(t.Str)
	case gojq.TermTypeIndex:
		n = ofIndex(t.Index)
	case gojq.TermTypeQuery:
		n = w.query(t.Query)
	case gojq.TermTypeUnary:
		n = w.term(t.Unary.Term)
	case gojq.TermTypeArray:
		n = ofList(t.Array)
	case gojq.TermTypeFunc:
		n = ofCall(t.Func)
	case gojq.TermTypeIf:
		n = ofChoice(t.If)
	case gojq.TermTypeTry:
		n = bounded(width(t.Try.Body) * width(t.Try.Catch))
	}
	for _, s := range t.SuffixList {
		n = bounded(n * ofIndex(s.Index))
	}
	return n
}

func ofText(s *gojq.String) int {
	if s != nil && len(s.Queries) > 0 {
		return mostWidth + 1
	}
	return 1
}

func ofIndex(i *gojq.Index) int {
	if i == nil {
		return 1
	}
	return bounded(ofText(i.Str) * width(i.Start) * width(i.End))
}

// ofList is a list of constants; another copies what it is given.
func ofList(a *gojq.Array) int {
	if a == nil {
		return 1
	}
	return walk{constants: true}.query(a.Query)
}

func scalar(t gojq.TermType) bool {
	switch t {
	case gojq.TermTypeString, gojq.TermTypeNumber, gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse:
		return true
	}
	return false
}

func ofCall(f *gojq.Func) int {
	n := mostWidth + 1
	if len(f.Args) < len(plainCalls) && plainCalls[len(f.Args)][f.Name] || variable(f.Name) {
		n = 1
	}
	for _, arg := range f.Args {
		n = bounded(n * width(arg))
	}
	return n
}

// variable is one that the path itself names.
func variable(name string) bool {
	return strings.HasPrefix(name, "$") && name != "$ENV" && !strings.HasPrefix(name, "$__")
}

func ofChoice(c *gojq.If) int {
	n := bounded(width(c.Cond) * (width(c.Then) + width(c.Else)))
	for _, e := range c.Elif {
		n = bounded(n * width(e.Cond) * width(e.Then))
	}
	return n
}
