package verify

import (
	"cmp"

	"github.com/runkora/kora/internal/faults"
)

// Outcome is what a run makes of an artifact. Its mark in the text, the count
// that it is in, the severity of its faults and so the exit status all come from
// it, and can say nothing else than one another (R49).
type Outcome int

// The outcomes. What nobody judged is refused: nothing passes by an oversight.
const (
	Refused Outcome = iota
	Unchecked
	Passed
)

// Outcome is that of the verdict.
func (v Verdict) Outcome() Outcome {
	switch {
	case v.Kind == Verified && len(v.Signers) > 0:
		return Passed
	case v.Kind == CouldNotCheck:
		return Unchecked
	}
	return Refused
}

func (o Outcome) mark() string {
	switch o {
	case Passed:
		return "✓"
	case Unchecked:
		return "?"
	}
	return "✗"
}

// Unjudged is the verdict of an artifact that was not looked at, because of what
// was found about it before. One fault that refuses is enough to refuse it: that
// others are out of reach may be its consequence. Digest is "" where unknown.
func Unjudged(artifact, digest string, found faults.List) Verdict {
	v := Verdict{Artifact: artifact, Digest: digest, Kind: CouldNotCheck, Signers: []Signer{}, Reasons: []Reason{}}
	for _, f := range found {
		if f.Severity != faults.Error {
			continue
		}
		r := Reason{Evidence: cmp.Or(f.File, artifact), Kind: CouldNotCheck, Message: f.Message, Fix: f.Fix}
		if !f.Code.Unchecked() {
			r.Kind, v.Kind = BadEvidence, BadEvidence
		}
		v.Reasons = append(v.Reasons, r)
	}
	return v
}

// Unreached is the verdict of an artifact that was not looked at for faults of
// the run, and not of its own: whatever they are, nothing is known of it.
func Unreached(artifact, digest string, found faults.List) Verdict {
	v := Unjudged(artifact, digest, found)
	v.Kind = CouldNotCheck
	for i := range v.Reasons {
		v.Reasons[i].Kind = CouldNotCheck
	}
	return v
}

// agree makes faults say what the outcome says. Beside what could not be
// reached, evidence that is wrong decides nothing, and is a warning: the missing
// piece might be the good one. A verdict without the fault that it stands for
// gets it.
func (v Verdict) agree(all faults.List) faults.List {
	o, told := v.Outcome(), false
	for i := range all {
		if o == Unchecked && !all[i].Code.Unchecked() {
			all[i].Severity = faults.Warning
		}
		told = told || all[i].Severity == faults.Error && all[i].Code.Unchecked() == (o == Unchecked)
	}
	switch {
	case told:
		return all
	case o == Unchecked:
		return append(all, v.fault(faults.CouldNotCheck, "it could not be checked", ""))
	}
	return append(all, v.fault(codeOf(v.Kind), v.words(), ""))
}
