package checkup

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/runkora/kora/operator/preflight"
)

// R55: an event says on its one line what was found, what was expected and the way out,
// before why it matters, and never more than an event takes.
func TestAnEventSaysWhatWasFound(t *testing.T) {
	finding := preflight.Finding{Message: "a label is wrong", Object: "Namespace kora-system", Field: "metadata.labels.x", Found: "baseline", Expected: "restricted", Fix: "kubectl label\nnamespace"}
	o := preflight.Outcome{ID: "system-namespace", Why: "its pods are held to it", Findings: []preflight.Finding{finding, finding}}
	const one = "a label is wrong; Namespace kora-system; metadata.labels.x; found baseline; expected restricted; fix: kubectl label namespace"
	if got := note(o); got != "system-namespace: "+one+" | "+one+" | why: its pods are held to it" {
		t.Errorf("%q", got)
	}
	o.Findings[0].Found = strings.Repeat("é", noteLength)
	if got := note(o); len(got) > noteLength || !utf8.ValidString(got) || strings.ContainsAny(got, "\r\n") || !strings.HasSuffix(got, "…") || !strings.HasPrefix(got, "system-namespace: a label is wrong; Namespace kora-system") {
		t.Errorf("%d %q", len(got), got)
	}
}
