// Package verify decides whether evidence proves what an artifact is and who
// made it. The cryptographic verdict is sigstore-go's; what has to be shown is
// kora's policy. It reads no network and no file but the artifact's: fetching
// never decides, and deciding never fetches.
package verify

import (
	"context"
	"errors"
	"time"

	"github.com/sigstore/sigstore-go/pkg/bundle"

	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
	"github.com/runkora/kora/verify/roots"
)

// AnyPredicate takes an attestation of any predicate type; Provenance takes
// SLSA provenance v0.2 and v1.
const (
	AnyPredicate = "any"
	Provenance   = "slsaprovenance"
)

// Verifier judges evidence under trust roots and one policy. It may be used
// by several goroutines at once.
type Verifier struct {
	policy policy.Policy
	checks []check
	now    func() time.Time
	ctx    context.Context
}

// Within returns the verifier for as long as a context lasts. What it did not
// come to by then could not be checked.
func (v *Verifier) Within(ctx context.Context) *Verifier {
	out := *v
	out.ctx = ctx
	return &out
}

// Option changes a verifier.
type Option func(*Verifier)

// WithClock tells the time by another clock than the machine's. It is asked
// only whether evidence is of the future.
func WithClock(now func() time.Time) Option { return func(v *Verifier) { v.now = now } }

// New makes a verifier. An identity needs at least one trust root. With a key
// and no root the key's signature is all that is asked; with a root it also
// has to be in that instance's log, at a known time (R45, R48).
func New(p policy.Policy, trusted []roots.Root, options ...Option) (*Verifier, error) {
	v := &Verifier{policy: p, now: time.Now, ctx: context.Background()}
	for _, o := range options {
		o(v)
	}
	if p.Key() == nil && len(trusted) == 0 {
		return nil, errors.New("an identity cannot be checked without a trust root")
	}
	if p.Key() != nil && len(trusted) == 0 {
		return v, v.addKeyAlone()
	}
	for _, r := range trusted {
		if err := v.add(r); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Signature judges evidence that the artifact itself was signed: a message
// signature over its bytes, a cosign sign/v1 statement about its digest, or a
// signature of the older scheme. An attestation is no signature (R45, R46).
func (v *Verifier) Signature(a Artifact, given []evidence.Raw) Verdict {
	return v.judge(a, given, question{signature: true})
}

// Attestation judges evidence that something was said of the artifact, of the
// predicate type given: a URI, AnyPredicate or Provenance (R45).
func (v *Verifier) Attestation(a Artifact, given []evidence.Raw, predicateType string) Verdict {
	return v.judge(a, given, question{predicateType: predicateType})
}

// Provenance judges evidence of how the artifact was built: an SLSA provenance
// v0.2 or v1, whose source agrees with the certificate's (R47).
func (v *Verifier) Provenance(a Artifact, given []evidence.Raw) Verdict {
	return v.judge(a, given, question{predicateType: Provenance})
}

// question is what evidence shall prove.
type question struct {
	signature     bool
	predicateType string
}

// alone is a bundle for one check: whoever reads its log entries writes into it, and
// evidence may be that of many artifacts, which are judged at once.
func alone(b *bundle.Bundle) *bundle.Bundle {
	if b == nil {
		return nil
	}
	own := *b
	return &own
}

func (v *Verifier) judge(a Artifact, given []evidence.Raw, q question) Verdict {
	out := Verdict{Artifact: a.Name, Digest: a.Digest(), Signers: []Signer{}, Reasons: []Reason{}}
	for _, raw := range given {
		items, bad := raw.Parse()
		for _, f := range bad {
			out.Reasons = append(out.Reasons, unusable(f))
		}
		for _, item := range items {
			if v.ctx.Err() != nil {
				out.Reasons = append(out.Reasons, Reason{Evidence: item.Name, Kind: CouldNotCheck, Message: Stopped(v.ctx), Fix: "run again"})
				break
			}
			item.Bundle = alone(item.Bundle)
			signer, reason := v.one(a, item, q)
			if reason != nil {
				out.Reasons = append(out.Reasons, *reason)
				continue
			}
			out.Signers = append(out.Signers, signer)
		}
	}
	out.Conclude()
	return out
}
