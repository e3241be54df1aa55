package release

import (
	"testing"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/lock"
)

// R49: an artifact of another kind than the lock's is the lock's fault, with its
// place, and without a lock it is not.
func TestTheKindOfALock(t *testing.T) {
	wrong := verify.Reason{Evidence: manifestEvidence, Kind: verify.NoneMatches, Message: "it is no Helm chart"}
	locked := Item{What: Chart, Ref: "ghcr.io/a/b:1", Locked: &lock.Artifact{}}
	for code, item := range map[faults.Code]Item{faults.LockMoved: locked, faults.NoneMatches: {What: Chart, Ref: locked.Ref}} {
		reason := wrong
		v := begin(item)
		v.Reasons = append(v.Reasons, *lockedKind(item, &reason))
		v.Conclude()
		found := Faults([]Item{item}, []verify.Verdict{v})
		if len(found) == 0 || found[0].Code != code || v.Outcome() != verify.Refused {
			t.Errorf("%s: %+v", code, found)
		}
	}
	if lockedKind(locked, nil) != nil {
		t.Error("the right kind is refused")
	}
}
