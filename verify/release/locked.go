package release

import (
	"slices"
	"strings"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/lock"
	"github.com/runkora/kora/verify/policy"
)

// lockEvidence is what a reason is called that a lock gives.
const lockEvidence = "the lock"

// Locked returns the items of a lock: each has to lead to its digest still,
// and to be signed by whom the lock names; so has a tag beside a digest (R49).
func Locked(l *lock.Lock) []Item {
	var out []Item
	for i := range l.Artifacts {
		a := &l.Artifacts[i]
		out = append(out, Item{What: a.Kind, Ref: a.Ref, Locked: a, Tagged: true})
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

// lockedKind makes what is wrong with an artifact's kind the lock's: the lock
// says which it is.
func lockedKind(item Item, wrong *verify.Reason) *verify.Reason {
	if item.Locked == nil || wrong == nil {
		return wrong
	}
	wrong.Evidence = lockEvidence
	wrong.Mismatches = []policy.Mismatch{{Field: "kind", Found: "another kind", Expected: item.What}}
	return wrong
}

// movedSigner takes an artifact that is signed, but by nobody whom the lock
// names, out of the verified ones.
func (r Run) movedSigner(item Item, v *verify.Verdict) {
	if len(v.Signers) == 0 || r.lockNames(item, v.Signers) {
		return
	}
	why := verify.Reason{Evidence: lockEvidence, Kind: verify.NoneMatches, Message: "it is signed by somebody else, or at another time, than when it was locked"}
	for _, s := range v.Signers {
		if found := r.lockSigner(s); slices.ContainsFunc(item.Locked.Signers, func(named lock.Signer) bool { return untimed(named, found) }) {
			v.Signers, v.Reasons = []verify.Signer{}, append(v.Reasons, verify.Reason{
				Evidence: lockEvidence, Kind: verify.CouldNotCheck, Message: "the lock has the time of the signature, which nothing shows here",
				Fix: "give the --trusted-root with which the lock was written",
			})
			return
		}
		why.Mismatches = append(why.Mismatches, policy.Mismatch{Field: "signer", Found: told(r.lockSigner(s)), Expected: told(item.Locked.Signers[0])})
	}
	// What could not be had may be what the lock names: then nothing is decided.
	open := slices.DeleteFunc(v.Reasons, func(r verify.Reason) bool { return r.Kind != verify.CouldNotCheck })
	v.Signers, v.Reasons = []verify.Signer{}, append([]verify.Reason{why}, open...)
}

// lockNames reports whether the lock names one of the signers, or there is no
// lock.
func (r Run) lockNames(item Item, signers []verify.Signer) bool {
	return item.Locked == nil || slices.ContainsFunc(signers, func(s verify.Signer) bool {
		return slices.ContainsFunc(item.Locked.Signers, func(named lock.Signer) bool { return holds(named, r.lockSigner(s)) })
	})
}

// holds reports whether a signer is the one of a lock. Where the lock has no time,
// as of a key without a trust root, none is held against it.
func holds(named, found lock.Signer) bool {
	if named.Time == "" {
		found.Time = ""
	}
	return named == found
}

// untimed reports whether a signer lacks but the time to be the lock's: no trust
// root was there to show it.
func untimed(named, found lock.Signer) bool {
	if found.Time != "" || named.Time == "" {
		return false
	}
	named.Time = ""
	return named == found
}

// lockSigner is a signer as a lock has it: a key is named by what it is, and
// not by what its file is called.
func (r Run) lockSigner(s verify.Signer) lock.Signer {
	out := lock.Signer{Identity: s.Identity, Issuer: s.Issuer}
	if s.Key != "" {
		out.Key = r.Key
	}
	if s.Time != nil {
		out.Time = s.Time.UTC().Format(time.RFC3339)
	}
	return out
}

func told(s lock.Signer) string {
	return strings.Join(strings.Fields(s.Identity+" "+s.Key+" "+s.Time), " ")
}

// Faults are those of all verdicts; what a lock refuses has its own code, and
// its place in the lock, and what was wrong before anything was asked has the
// faults that it came with.
func Faults(items []Item, verdicts []verify.Verdict) faults.List {
	var out faults.List
	for i, v := range verdicts {
		if items[i].Found.Refused() {
			out = append(out, items[i].Found...)
			continue
		}
		for _, f := range v.Faults() {
			if item := items[i]; item.Locked != nil && f.Code == faults.NoneMatches && v.Reasons[0].Evidence == lockEvidence {
				m, severity := v.Reasons[0].Mismatches[0], f.Severity
				f = item.Locked.Pos.Fault(faults.LockMoved, item.Ref+": "+v.Reasons[0].Message)
				f.Found, f.Expected, f.Severity = m.Found, m.Expected, severity
				if e, ok := faults.Lookup(f.Code); ok {
					f.Fix = e.Fix
				}
			}
			out = append(out, f)
		}
	}
	return out
}

// Untagged warns of each verified artifact that was built from no tag, where the
// policy asked for no reference.
func Untagged(o policy.Options, verdicts []verify.Verdict) faults.List {
	var out faults.List
	for _, v := range verdicts {
		var refs []string
		for _, s := range v.Signers {
			refs = append(refs, s.SourceRef)
		}
		out = append(out, o.Untagged(v.Artifact, refs...)...)
	}
	return out
}

// Pin returns the lock of charts and images that are verified. The caller
// makes sure that all are: a lock that leaves one out would pin less than it
// seems to.
func (r Run) Pin(verdicts []verify.Verdict) *lock.Lock {
	var all []lock.Artifact
	for _, v := range verdicts {
		if v.Resolved == nil || !v.Verified() || v.Resolved.What != Chart && v.Resolved.What != Image {
			continue
		}
		a := lock.Artifact{Ref: v.Artifact, Kind: v.Resolved.What, Digest: v.Digest}
		for _, s := range v.Signers {
			if signer := r.lockSigner(s); !slices.Contains(a.Signers, signer) {
				a.Signers = append(a.Signers, signer)
			}
		}
		all = append(all, a)
	}
	return lock.New(all...)
}

// Lockable reports whether a reference can stand in a lock: one of a registry.
func Lockable(ref string) bool { return Reference(lock.Normal(ref)) }
