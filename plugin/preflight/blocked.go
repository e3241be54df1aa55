package preflight

import (
	"cmp"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/operator/preflight"
)

// Findings are faults as a report tells them, sorted, each state that which the
// exit status goes by.
func Findings(found faults.List) []preflight.Finding {
	out := make([]preflight.Finding, 0, len(found))
	for _, f := range found.Sorted() {
		one := preflight.Finding{
			State: stateOf(f), Message: f.Message, Object: strings.TrimSpace(f.Place() + " " + f.Object),
			Field: cmp.Or(f.Field, f.Key), Found: f.Found, Expected: f.Expected, Fix: f.Fix,
		}
		for _, text := range []*string{&one.Message, &one.Object, &one.Field, &one.Found, &one.Expected, &one.Fix} {
			*text = faults.Hush(*text)
		}
		out = append(out, one)
	}
	return out
}

func stateOf(f faults.Fault) preflight.State {
	switch {
	case f.Severity == faults.Warning:
		return preflight.Warned
	case f.Code.Unchecked():
		return preflight.Unchecked
	}
	return preflight.Failed
}
