package checkup

import (
	"context"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/preflight"
)

// workload is the operator's Deployment, whose events people read.
const workload = "kora-operator"

// noteLength is the most that an event takes.
const noteLength = 1024

// deployment is what events are about. Its uid is what kubectl describe finds them
// by; where the operator runs without a Deployment there is none.
func (c *Checkup) deployment(ctx context.Context) (*corev1.ObjectReference, error) {
	about := &corev1.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: c.engine.Namespace, Name: workload}
	found := &metav1.PartialObjectMetadataList{}
	found.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("DeploymentList"))
	// The role of preflight lists Deployments, and gets none.
	err := c.live.List(ctx, found, client.InNamespace(about.Namespace), client.MatchingFields{"metadata.name": workload})
	if err == nil && len(found.Items) > 0 {
		about.UID = found.Items[0].UID
	}
	return about, err
}

// tell says what changed: one event and one line of the log for each check at
// most, so never more than there are checks. The action of an event is its check:
// events that differ by their note alone are counted as one, with the first's note.
//
// Of a check that another one blocks nobody knows anything new: the one that
// blocks it is told, and it is compared with when it was last judged.
func (c *Checkup) tell(about *corev1.ObjectReference, last map[string]preflight.Outcome, now []preflight.Outcome) {
	for _, o := range now {
		was, known := last[o.ID]
		switch {
		case blocked(o):
		case bad(o) && !(known && same(was, o)):
			c.recorder.Eventf(about, nil, corev1.EventTypeWarning, reason(o.State), o.ID, "%s", note(o))
			c.log.Info("preflight", "check", o.ID, "state", o.State, "why", o.Why, "findings", o.Findings)
		case known && bad(was) && !bad(o):
			c.recorder.Eventf(about, nil, corev1.EventTypeNormal, "PreflightMended", o.ID, "%s", mended(o))
			c.log.Info("preflight", "check", o.ID, "state", o.State)
		}
	}
}

// mended says that nothing is wrong with a check any more.
func mended(o preflight.Outcome) string {
	if o.State == preflight.Passed {
		return o.ID + " passes again"
	}
	return o.ID + " is of no matter any more: " + o.Reason
}

func bad(o preflight.Outcome) bool {
	return o.State == preflight.Failed || o.State == preflight.Warned || o.State == preflight.Unchecked
}

// same goes by what is wrong and where: what was found may differ each time, as
// the days that a certificate has left.
func same(a, b preflight.Outcome) bool {
	if a.State != b.State || len(a.Findings) != len(b.Findings) {
		return false
	}
	for i, f := range a.Findings {
		if g := b.Findings[i]; f.State != g.State || f.Message != g.Message || f.Object != g.Object || f.Field != g.Field {
			return false
		}
	}
	return true
}

func reason(s preflight.State) string {
	switch s {
	case preflight.Failed:
		return "PreflightFailed"
	case preflight.Warned:
		return "PreflightWarned"
	}
	return "PreflightUnchecked"
}

// note is what an event says of a check, on one line, since kubectl get events shows no
// other: what was found first, then why it matters.
func note(o preflight.Outcome) string {
	var said []string
	for _, f := range o.Findings {
		line := f.Message
		for _, part := range [...][2]string{{"", f.Object}, {"", f.Field}, {"found ", f.Found}, {"expected ", f.Expected}, {"fix: ", f.Fix}} {
			if part[1] != "" {
				line += "; " + part[0] + part[1]
			}
		}
		said = append(said, line)
	}
	text := strings.ToValidUTF8(o.ID+": "+strings.Join(append(said, "why: "+o.Why), " | "), "")
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > noteLength {
		text = strings.ToValidUTF8(text[:noteLength-len("…")], "") + "…"
	}
	return text
}
