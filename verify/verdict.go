package verify

import (
	"errors"
	"fmt"
	"time"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
)

// Kind says how an artifact, or one piece of evidence, fared.
type Kind string

// The kinds of a verdict; a Reason has one of the last three, or is the one
// that tells where evidence was looked for.
const (
	// Verified: at least one piece of evidence holds, and the policy is met.
	Verified Kind = "verified"
	// NotSigned: there is no evidence at all.
	NotSigned Kind = "not-signed"
	// NoneMatches: well-formed evidence, of somebody or something else.
	NoneMatches Kind = "none-matches"
	// BadEvidence: malformed, or the cryptographic check fails.
	BadEvidence Kind = "bad-evidence"
	// CouldNotCheck: out of reach, or no root to check with.
	CouldNotCheck Kind = "could-not-check"
)

// Signer is who signed, as the verified evidence says.
type Signer struct {
	// Evidence is the name of the evidence.
	Evidence string `json:"evidence"`
	// Identity and Issuer are those of the certificate; Key the name of the
	// public key, for signatures without a certificate.
	Identity string `json:"identity,omitempty"`
	Issuer   string `json:"issuer,omitempty"`
	Key      string `json:"key,omitempty"`
	// Time is when it was signed, by the log or a timestamp authority; absent
	// where a key alone was asked for.
	Time *time.Time `json:"time,omitempty"`
	// LogIndex is that of the first entry in the transparency log.
	LogIndex *int64 `json:"logIndex,omitempty"`
	// Root is the name of the trust root that it holds under.
	Root string `json:"root,omitempty"`
	// PredicateType is that of an attestation.
	PredicateType string `json:"predicateType,omitempty"`
	// What the certificate says of the build.
	SourceRepository  string `json:"sourceRepository,omitempty"`
	SourceRef         string `json:"sourceRef,omitempty"`
	SourceDigest      string `json:"sourceDigest,omitempty"`
	SignerWorkflow    string `json:"signerWorkflow,omitempty"`
	RunnerEnvironment string `json:"runnerEnvironment,omitempty"`
	// Builder is the builder.id of a provenance.
	Builder string `json:"builder,omitempty"`
}

// Reason is why one piece of evidence does not prove what was asked.
type Reason struct {
	Evidence string `json:"evidence"`
	Kind     Kind   `json:"kind"`
	Message  string `json:"message,omitempty"`
	// Mismatches are the parts of the policy that the signer does not meet.
	Mismatches []policy.Mismatch `json:"mismatches,omitempty"`
	Fix        string            `json:"fix,omitempty"`
}

// Verdict is all that is known about one artifact.
type Verdict struct {
	// Artifact is its name, Digest "sha256:" and its hex digits, or nothing
	// where the artifact could not be read.
	Artifact string `json:"artifact"`
	Digest   string `json:"digest"`
	Kind     Kind   `json:"kind"`
	// Resolved is what a reference led to; nil for a file alone.
	Resolved *Resolved `json:"resolved,omitempty"`
	// Unread tells that no evidence was looked at, as it is of something else than
	// was asked for; who signed that is then said of nobody.
	Unread bool `json:"-"`
	// Signers are those of all evidence that holds, in the order it was given.
	Signers []Signer `json:"signers"`
	// Reasons tell of all other evidence; beside a signer they decide nothing.
	Reasons []Reason `json:"reasons"`
}

// Verified reports whether the artifact is proven.
func (v Verdict) Verified() bool { return v.Outcome() == Passed }

// Conclude sets the kind from the signers and reasons. One good piece of
// evidence is enough. Without one, evidence that could not be fetched might
// have been it, so that the artifact could not be checked.
func (v *Verdict) Conclude() {
	switch {
	case len(v.Signers) > 0:
		v.Kind = Verified
	case len(v.Reasons) == 0:
		v.Kind = NotSigned
	case v.has(CouldNotCheck):
		v.Kind = CouldNotCheck
	case v.has(NoneMatches):
		v.Kind = NoneMatches
	default:
		v.Kind = BadEvidence
	}
}

func (v *Verdict) has(k Kind) bool {
	for _, r := range v.Reasons {
		if r.Kind == k {
			return true
		}
	}
	return false
}

// Faults returns what to tell of an artifact that is not verified: a fault for
// each piece of evidence, or for each part of the policy that its signer does
// not meet; none for a verified one. They refuse where the verdict does, and of
// what could not be checked none of them does.
func (v Verdict) Faults() faults.List {
	if v.Verified() {
		return nil
	}
	if len(v.Reasons) == 0 && v.Kind == NotSigned {
		return faults.List{v.fault(faults.NotSigned, "there is no signature or attestation of it", "")}
	}
	var out faults.List
	for _, r := range v.Reasons {
		if r.Message != "" {
			out = append(out, v.fault(codeOf(r.Kind), v.from(r)+r.Message, r.Fix))
		}
		for _, m := range r.Mismatches {
			f := v.fault(codeOf(r.Kind), fmt.Sprintf("%sthe %s is not what was asked for", v.from(r), m.Field), r.Fix)
			f.Field, f.Found, f.Expected = m.Field, m.Found, m.Expected
			out = append(out, f)
		}
	}
	return v.agree(out)
}

// from says which evidence a reason is of, but not where that is the artifact
// itself, which the fault names already.
func (v Verdict) from(r Reason) string {
	if r.Evidence == "" || r.Evidence == v.Artifact {
		return ""
	}
	return r.Evidence + ": "
}

func (v Verdict) fault(code faults.Code, message, fix string) faults.Fault {
	f := faults.New(code, message)
	f.File, f.Object, f.Fix = v.Artifact, v.Digest, fix
	if e, ok := faults.Lookup(code); ok && fix == "" {
		f.Fix = e.Fix
	}
	return f
}

func codeOf(k Kind) faults.Code {
	switch k {
	case NotSigned:
		return faults.NotSigned
	case NoneMatches:
		return faults.NoneMatches
	case CouldNotCheck:
		return faults.CouldNotCheck
	}
	return faults.BadEvidence
}

// unusable is the reason of evidence that is malformed, or of which kora leaves
// something unread: that may be what was asked for, so that nothing is known.
func unusable(f evidence.Fault) Reason {
	r := Reason{Evidence: f.Name, Kind: BadEvidence, Message: f.Err.Error(), Fix: f.Fix}
	if errors.As(f.Err, new(evidence.LimitError)) {
		r.Kind = CouldNotCheck
	}
	return r
}
