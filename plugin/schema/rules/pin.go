package rules

import (
	"strings"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// follows holds one setting to its pin, a text of Pinned.
func (j *judge) follows(pin string, n *source.Node, at fields.Path) {
	want, of := j.pin(pin)
	switch {
	case n.Kind != source.Scalar || plain(n) == want:
	case n.Tag == "!!bool" && want != "true" && want != "false": // of another type, as the schema says
	case of != "":
		j.contradicts(n, at, of+", by which other objects are made", "set "+of+" instead")
	default:
		j.contradicts(n, at, "other objects of the release, which have "+want, "remove it")
	}
}

// pin reads a text of Pinned: what a setting must be, and the value that it
// follows, empty where it is fixed.
func (j *judge) pin(text string) (want, of string) {
	of, conditions, bound := strings.Cut(text, " if ")
	fixed, isFixed := strings.CutPrefix(of, "=")
	switch {
	case !isFixed:
		want = j.plain(of)
	case strings.Contains(fixed, hostMark):
		want, of = strings.ReplaceAll(fixed, hostMark, j.plain("frontendHost")), "frontendHost"
	default:
		want, of = fixed, ""
	}
	if !bound {
		return want, of
	}
	for condition := range strings.SplitSeq(conditions, " and ") {
		if is := j.plain(condition); is == "" || is == "false" {
			want = ""
		}
		if isFixed {
			of = condition
		}
	}
	return want, of
}

// hostMark stands in a fixed text for the host that people visit.
const hostMark = "{frontendHost}"

func (j *judge) plain(path string) string { return plain(j.all.Get(strings.Split(path, ".")...)) }

// leader refuses to turn the election off: of one replica too an old pod and its
// successor are there at once at each rollout, and would both act (R23, R50).
func (j *judge) leader(n *source.Node, at fields.Path) {
	if n == nil || n.Kind != source.Scalar || plain(n) != "false" {
		return
	}
	j.contradicts(n, at, "the operator's rollouts, in which an old pod and a new one would act at once", "remove it")
}
