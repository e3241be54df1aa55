package release

import (
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/lock"
	"github.com/runkora/kora/verify/policy"
)

// lockEvidence is what a reason is called that a lock gives.
const lockEvidence = "the lock"

// Locked returns the items of a lock: each has to lead to its digest still,
// and to be signed by whom the lock names (R49).
func Locked(l *lock.Lock) []Item {
	var out []Item
	for i := range l.Artifacts {
		a := &l.Artifacts[i]
		out = append(out, Item{What: a.Kind, Ref: a.Ref, Locked: a})
	}
	return out
}

// movedDigest is the reason of a tag that leads elsewhere, nil for none.
func movedDigest(item Item, digest string) *verify.Reason {
	if item.Locked == nil || item.Locked.Digest == digest {
		return nil
	}
	return &verify.Reason{
		Evidence: lockEvidence, Kind: verify.NoneMatches, Message: "the tag has moved",
		Mismatches: []policy.Mismatch{{Field: "digest", Found: digest, Expected: item.Locked.Digest}},
	}
}

// movedSigner takes an artifact that is signed, but by nobody whom the lock
// names, out of the verified ones.
func movedSigner(item Item, v *verify.Verdict) {
	if item.Locked == nil || len(v.Signers) == 0 {
		return
	}
	for _, s := range v.Signers {
		for _, l := range item.Locked.Signers {
			// A key is the one that this run was given, whatever its file is called.
			if s.Identity == l.Identity && s.Issuer == l.Issuer && (s.Key == "") == (l.Key == "") {
				return
			}
		}
	}
	r := verify.Reason{Evidence: lockEvidence, Kind: verify.NoneMatches, Message: "it is signed by somebody else than when it was locked"}
	for _, s := range v.Signers {
		r.Mismatches = append(r.Mismatches, policy.Mismatch{Field: "signer", Found: s.Identity + s.Key, Expected: item.Locked.Signers[0].Identity + item.Locked.Signers[0].Key})
	}
	v.Signers, v.Reasons = []verify.Signer{}, []verify.Reason{r}
}

// Faults are those of all verdicts; what a lock refuses has its own code, and
// its place in the lock.
func Faults(items []Item, verdicts []verify.Verdict) faults.List {
	var out faults.List
	for i, v := range verdicts {
		for _, f := range v.Faults() {
			if item := items[i]; item.Locked != nil && f.Code == faults.NoneMatches && v.Reasons[0].Evidence == lockEvidence {
				m := v.Reasons[0].Mismatches[0]
				f = item.Locked.Pos.Fault(faults.LockMoved, item.Ref+": "+v.Reasons[0].Message)
				f.Found, f.Expected = m.Found, m.Expected
				if e, ok := faults.Lookup(f.Code); ok {
					f.Fix = e.Fix
				}
			}
			out = append(out, f)
		}
	}
	return out
}

// Pin returns the lock of charts and images that are verified. The caller
// makes sure that all are: a lock that leaves one out would pin less than it
// seems to.
func Pin(verdicts []verify.Verdict) *lock.Lock {
	var all []lock.Artifact
	for _, v := range verdicts {
		if v.Resolved == nil || !v.Verified() || v.Resolved.What != Chart && v.Resolved.What != Image {
			continue
		}
		a := lock.Artifact{Ref: v.Artifact, Kind: v.Resolved.What, Digest: v.Digest}
		for _, s := range v.Signers {
			signer := lock.Signer{Identity: s.Identity, Issuer: s.Issuer, Key: s.Key}
			if s.Time != nil {
				signer.Time = s.Time.UTC().Format(time.RFC3339)
			}
			a.Signers = append(a.Signers, signer)
		}
		all = append(all, a)
	}
	return lock.New(all...)
}

// Lockable reports whether a reference can stand in a lock: one of a registry.
func Lockable(ref string) bool { return Reference(lock.Normal(ref)) }
