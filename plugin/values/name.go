package values

import (
	"fmt"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/agents"
)

// maxSlug is what agents.ValidateName takes: it leaves room for the other words
// in the names and labels of the objects.
const maxSlug = 46

const (
	lowerFix  = "use lower-case letters, digits and hyphens, starting and ending with a letter or a digit"
	letterFix = "use letters of either case, digits, hyphens, underscores and dots, starting and ending with a letter or a digit"
)

// flagName is a name that a flag gives.
type flagName struct {
	flag, what, text string
	most             int
	fix              string
	err              error
}

// check reports names under the flags that give them (R2). An id that is made of
// a bad slug is the slug's fault.
func (a Agent) check() faults.List {
	var id error
	if a.TypeID != agents.DefaultTypeID(a.Slug) {
		id = agents.ValidateTypeID(a.TypeID)
	}
	var found faults.List
	for _, g := range []flagName{
		{"--agent-slug", "agent slug", a.Slug, maxSlug, lowerFix, agents.ValidateName(a.Slug)},
		{"--agent-type-id", "agent type id", a.TypeID, validation.LabelValueMaxLength, letterFix, id},
		{"--namespace", "namespace", a.Namespace, validation.DNS1123LabelMaxLength, lowerFix, agents.ValidateNamespace(a.Namespace)},
	} {
		if g.err != nil {
			found = append(found, g.fault())
		}
	}
	return finished(found)
}

// fault says of a name that is too long just that: what else is wrong with it
// is seen when it is shorter.
func (g flagName) fault() faults.Fault {
	f := faults.New(faults.BadName, short(g.err.Error()))
	f.File, f.Found, f.Fix = g.flag, short(g.text), g.fix
	switch count := utf8.RuneCountInString(g.text); {
	case g.text == "":
		f.Message = fmt.Sprintf("the %s is empty", g.what)
	case count > g.most:
		f.Message = fmt.Sprintf("the %s is too long: it has %d characters", g.what, count)
		f.Expected, f.Fix = fmt.Sprintf("at most %d characters", g.most), "use a shorter one"
	default:
		f.Message = fmt.Sprintf("%q cannot be the %s", short(g.text), g.what)
		f.Expected = "a name such as coder-2"
	}
	return f
}
