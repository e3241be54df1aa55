package rules

import (
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// pin is one text of Pinned as it is read: what a setting must be, and the path of
// the value that it follows, empty where it is fixed.
type pin struct {
	want, of            string
	quantity, orNothing bool
}

// follows holds one setting of a service to its pin.
func (j *judge) follows(p pin, service string, n *source.Node, at fields.Path) {
	switch {
	case n.Kind != source.Scalar || plain(n) == p.want:
	case p.quantity && alike(plain(n), p.want):
	case p.orNothing && plain(n) == "" && service != "operator":
	case n.Tag == "!!bool" && p.want != "true" && p.want != "false": // of another type, as the schema says
	case p.of != "":
		j.contradicts(n, at, p.of+", by which other objects are made", "set "+p.of+" instead")
	default:
		j.contradicts(n, at, "other objects of the release, which have "+p.want, "remove it")
	}
}

// alike reports whether two texts are one quantity.
func alike(a, b string) bool {
	x, err := fields.ParseQuantity(a)
	y, wrong := fields.ParseQuantity(b)
	return err == nil && wrong == nil && x.Cmp(y) == 0
}

// pin reads a text of Pinned.
func (j *judge) pin(text string) pin {
	of, conditions, bound := strings.Cut(text, " if ")
	of, quantity := strings.CutSuffix(of, " by quantity")
	of, orNothing := strings.CutSuffix(of, " or nothing")
	fixed, isFixed := strings.CutPrefix(of, "=")
	p := pin{of: of, quantity: quantity, orNothing: orNothing}
	switch {
	case !isFixed:
		p.want, p.of = j.effective(of)
	case strings.Contains(fixed, hostMark):
		p.want, p.of = strings.ReplaceAll(fixed, hostMark, j.plain("frontendHost")), "frontendHost"
	default:
		p.want, p.of = fixed, ""
	}
	if !bound {
		return p
	}
	for condition := range strings.SplitSeq(conditions, " and ") {
		if is := j.plain(condition); is == "" || is == "false" {
			p.want = ""
		}
		if isFixed {
			p.of = condition
		}
	}
	return p
}

// hostMark stands in a fixed text for the host that people visit.
const hostMark = "{frontendHost}"

// effective is a value, and the path by which it was given: what the volumes of
// agents are made of, perhaps in the configOverrides of kora-agents.
func (j *judge) effective(path string) (want, of string) {
	if !strings.HasPrefix(path, "agents.workspace.") {
		return j.plain(path), path
	}
	over := j.all.Overridden()
	return plain(over.Get(strings.Split(path, ".")...)), string(over.Name(fields.Path(path)))
}

func (j *judge) plain(path string) string { return plain(j.all.Get(strings.Split(path, ".")...)) }

// leader refuses to turn the election off: of one replica too an old pod and its
// successor are there at once at each rollout, and would both act (R23, R50).
func (j *judge) leader(n *source.Node, at fields.Path) {
	if n == nil || n.Kind != source.Scalar || plain(n) != "false" {
		return
	}
	j.contradicts(n, at, "the operator's rollouts, in which an old pod and a new one would act at once", "remove it")
}
