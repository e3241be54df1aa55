package checkup

import (
	"fmt"
	"slices"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"

	"github.com/runkora/kora/operator/preflight"
)

// told are the events of looks that follow each other, with what is kept between.
func told(looks ...[]preflight.Outcome) (all [][]string) {
	before := kept{}
	for _, now := range looks {
		r := &events.FakeRecorder{Events: make(chan string, 100)}
		c := &Checkup{recorder: r, log: logr.Discard()}
		c.tell(&corev1.ObjectReference{}, before.seen(), now)
		close(r.Events)
		said := []string{}
		for e := range r.Events {
			said = append(said, e)
		}
		all = append(all, said)
		before = kept{outcomes: now, blocked: waiting(before.seen(), now)}
	}
	return all
}

// one is an outcome of a check, with a finding where it is wrong.
func one(id string, state preflight.State, found string) preflight.Outcome {
	o := preflight.Outcome{ID: id, State: state, Why: "it is"}
	if found != "" {
		o.Findings = []preflight.Finding{{State: state, Message: found}}
	}
	return o
}

func behind(id, by string) preflight.Outcome {
	return preflight.Outcome{ID: id, State: preflight.Skipped, BlockedBy: []string{by}}
}

// R55: a check that another one blocks is told neither as mended nor, when that one
// holds again, as anew; what is other with it then is told.
func TestABlockedCheckIsNoNews(t *testing.T) {
	const (
		failed  = "Warning PreflightFailed running: down | why: it is"
		cni     = "Warning PreflightFailed cni: none | why: it is"
		running = "Normal PreflightMended running passes again"
	)
	up, down := one("running", preflight.Passed, ""), one("running", preflight.Failed, "down")
	none, well, gone := one("cni", preflight.Failed, "none"), one("cni", preflight.Passed, ""), behind("cni", "running")
	left := preflight.Outcome{ID: "cni", State: preflight.Skipped, Reason: "no pod asks for it"}
	type look = []preflight.Outcome
	for name, c := range map[string]struct {
		looks []look
		want  [][]string
	}{
		"it stays":       {[]look{{up, none}, {down, gone}, {down, gone}, {up, none}}, [][]string{{cni}, {failed}, {}, {running}}},
		"it is mended":   {[]look{{up, none}, {down, gone}, {up, well}}, [][]string{{cni}, {failed}, {running, "Normal PreflightMended cni passes again"}}},
		"it changes":     {[]look{{up, none}, {down, gone}, {up, one("cni", preflight.Warned, "old")}}, [][]string{{cni}, {failed}, {running, "Warning PreflightWarned cni: old | why: it is"}}},
		"it breaks":      {[]look{{up, well}, {down, gone}, {up, none}}, [][]string{{}, {failed}, {running, cni}}},
		"it was well":    {[]look{{up, well}, {down, gone}, {up, well}}, [][]string{{}, {failed}, {running}}},
		"never judged":   {[]look{{down, gone}, {up, none}}, [][]string{{failed}, {running, cni}}},
		"no matter":      {[]look{{up, none}, {up, left}}, [][]string{{cni}, {"Normal PreflightMended cni is of no matter any more: no pod asks for it"}}},
		"it only warned": {[]look{{up, one("cni", preflight.Unchecked, "who")}, {down, gone}, {up, well}}, [][]string{{"Warning PreflightUnchecked cni: who | why: it is"}, {failed}, {running, "Normal PreflightMended cni passes again"}}},
	} {
		if got := told(c.looks...); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %s, want %s", name, fmt.Sprintf("%q", got), fmt.Sprintf("%q", c.want))
		}
	}
}
