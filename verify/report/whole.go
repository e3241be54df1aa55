package report

import (
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
)

// Whole reports whether a run verified all that it was about: no fault refuses,
// there is an artifact, and each one is verified. It is the one place that says
// so: a lock and a summary that says PASSED are written of a whole run alone,
// and a run that is not whole never ends with status 0.
func Whole(found faults.List, r verify.Report) bool {
	if found.Refused() || len(r.Artifacts) == 0 {
		return false
	}
	for _, v := range r.Artifacts {
		if !v.Verified() {
			return false
		}
	}
	return r.Verified == len(r.Artifacts) && r.Refused == 0 && r.Unchecked == 0
}
