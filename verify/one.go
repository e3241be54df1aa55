package verify

import (
	"fmt"

	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/policy"
)

// one judges one piece of evidence: whether it is an answer to the question,
// whether it is about the artifact, whether it holds under a root, and whether
// its signer is the one that was asked for.
func (v *Verifier) one(a Artifact, item evidence.Item, q question) (Signer, *Reason) {
	if reason := q.answers(item); reason != nil {
		return Signer{}, reason
	}
	if reason := about(a, item); reason != nil {
		return Signer{}, reason
	}
	signer, reason := v.kept(a, item, q)
	if reason != nil {
		return Signer{}, reason
	}
	return signer, incomparable(a, item)
}

// held judges an item but for what it is about: whether it holds under a root, and
// whether its signer is the one that was asked for.
func (v *Verifier) held(a Artifact, item evidence.Item, q question) (Signer, *Reason) {
	if reason := v.otherwise(item); reason != nil {
		return Signer{}, reason
	}
	c, result, reason := v.underOne(signed(a, item), item)
	if reason != nil {
		return Signer{}, reason
	}
	if reason := v.future(item, result); reason != nil {
		return Signer{}, reason
	}
	claims, err := claimsOf(item, result)
	if err != nil {
		return Signer{}, bad(item, err)
	}
	signer := signerOf(item, c.root, result, claims, v.policy)
	if v.policy.Key() == nil {
		if wrong := v.policy.Judge(claims); len(wrong) > 0 {
			return Signer{}, mismatch(item, wrong)
		}
	}
	if q.predicateType == Provenance {
		if signer, reason = v.built(item, claims, signer); reason != nil {
			return Signer{}, reason
		}
	}
	return signer, nil
}

// mismatch is the reason of somebody else's evidence. Whose workflow it was is
// another thing than who had it run.
func mismatch(item evidence.Item, wrong []policy.Mismatch) *Reason {
	fix := "do not use the artifact unless this signer is meant; for a fork or a mirror say so with --certificate-identity and --certificate-oidc-issuer"
	if wrong[0].Field == "source repository" {
		fix = "do not use the artifact unless a build of that repository is meant: anybody may call a workflow; say so with --source-repo"
	}
	return &Reason{Evidence: item.Name, Kind: NoneMatches, Mismatches: wrong, Fix: fix}
}

// answers reports why the evidence is no answer to the question.
func (q question) answers(item evidence.Item) *Reason {
	no := func(fix, format string, args ...any) *Reason {
		return &Reason{Evidence: item.Name, Kind: NoneMatches, Message: fmt.Sprintf(format, args...), Fix: fix}
	}
	s := item.Statement
	switch {
	case q.signature && s != nil && s.PredicateType != evidence.CosignSignV1:
		command := "attestation"
		if isProvenance(s.PredicateType) {
			command = "provenance"
		}
		return no("check it with kora verify "+command, "it is an attestation of the type %s, and no signature of the artifact", s.PredicateType)
	case q.signature:
		return nil
	case item.Simple != nil:
		return no("check it with kora verify image or chart", "it is a signature of the artifact, and no attestation")
	case s == nil:
		return no("check it with kora verify file", "it is a signature of bytes, and no attestation")
	case q.predicateType == Provenance && !isProvenance(s.PredicateType):
		return no("give the provenance, or name the type with kora verify attestation --type", "its predicate type is %s, and not that of an SLSA provenance v0.2 or v1", s.PredicateType)
	case q.predicateType == AnyPredicate && s.PredicateType == evidence.CosignSignV1:
		return no("check it with kora verify file, image or chart", "it is a signature of the artifact, and no attestation")
	case q.predicateType == AnyPredicate, q.predicateType == Provenance, s.PredicateType == q.predicateType:
		return nil
	}
	return no("", "its predicate type is %s, and not %s", s.PredicateType, q.predicateType)
}

func isProvenance(t string) bool { return t == evidence.ProvenanceV0 || t == evidence.ProvenanceV1 }

// about reports why the evidence is not about the artifact. Whether what it
// says was signed at all is checked after it.
func about(a Artifact, item evidence.Item) *Reason {
	other := func(message string) *Reason {
		return &Reason{Evidence: item.Name, Kind: NoneMatches, Message: message, Fix: "give the artifact and the evidence of the same release"}
	}
	switch {
	case item.Simple != nil && !item.Simple.Signs(a.Digest()):
		return other(fmt.Sprintf("it signs %q of the digest %q, and the artifact is %s", item.Simple.Type, item.Simple.Digest, a.Digest()))
	case item.Statement != nil && item.Statement.Names(a.Digests) == evidence.Other:
		return other(fmt.Sprintf("none of its %d subjects is %s", len(item.Statement.Subjects), a.Digest()))
	}
	return nil
}

// incomparable is the reason of an attestation that holds and may be about the
// artifact: it has a digest of a subject that is not known of the artifact, so
// that what refuses the file might be taken for its digest.
func incomparable(a Artifact, item evidence.Item) *Reason {
	if item.Statement == nil || item.Statement.Names(a.Digests) != evidence.Unknown {
		return nil
	}
	return &Reason{
		Evidence: item.Name, Kind: CouldNotCheck, Fix: fixOf(CouldNotCheck),
		Message: "a subject of it has a digest that cannot be compared: only the artifact's SHA-256 is known",
	}
}

// signed is what the signature is over: the artifact, or the payload of the
// older scheme, which names it.
func signed(a Artifact, item evidence.Item) Artifact {
	if item.Simple != nil {
		return ByBytes(a.Name, item.Simple.Payload)
	}
	return a
}

func fixOf(k Kind) string {
	if k == CouldNotCheck {
		return "give the file itself and not its digest"
	}
	return ""
}

// built compares a provenance with the certificate of who signed it.
func (v *Verifier) built(item evidence.Item, claims policy.Claims, signer Signer) (Signer, *Reason) {
	p, err := evidence.ParseProvenance(item.Statement)
	if err != nil {
		return Signer{}, bad(item, err)
	}
	signer.Builder = p.Builder
	wrong := v.policy.JudgeProvenance(claims, policy.Said{
		Builder: p.Builder, Sources: sources(p.Sources), Dependencies: sources(p.Dependencies),
		WorkflowRef: p.WorkflowRef, Workflows: p.Workflows,
	})
	if len(wrong) > 0 {
		return Signer{}, mismatch(item, wrong)
	}
	return signer, nil
}

func sources(all []evidence.Source) []policy.Source {
	out := make([]policy.Source, len(all))
	for i, s := range all {
		out[i] = policy.Source(s)
	}
	return out
}

func bad(item evidence.Item, err error) *Reason {
	return &Reason{Evidence: item.Name, Kind: BadEvidence, Message: err.Error()}
}
