package release

import (
	"context"
	"errors"
	"maps"

	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/registry"
)

// fetched verifies a chart or an image: the reference is resolved once, and
// all evidence is that of the digest (R45).
func (r Run) fetched(ctx context.Context, item Item) verify.Verdict {
	v := begin(item)
	ctx, end := r.Client.Bounded(ctx)
	defer end()
	target, err := r.Client.Open(item.Ref)
	if err != nil {
		return failed(v, "manifest", err)
	}
	a, err := target.Resolve(ctx)
	if err != nil {
		return failed(v, "manifest", err)
	}
	v.Digest = a.Digest
	if item.What == Artifact {
		item.What = kindOf(a)
	}
	v.Resolved = &verify.Resolved{What: item.What, Tag: a.Tag, MediaType: a.MediaType, Index: a.Index}
	for _, wrong := range []*verify.Reason{movedDigest(item, a.Digest), lockedKind(item, otherKind(item, a))} {
		if wrong != nil {
			v.Reasons, v.Unread = append(v.Reasons, *wrong), true
			v.Conclude()
			return v
		}
	}
	subject, bad := verify.ByDigest(item.Ref, a.Digest)
	if bad.Refused() {
		return failed(v, "manifest", errors.New(bad[0].Message))
	}
	maps.Copy(subject.Digests, a.Longer)
	r.judge(ctx, item, target, a, subject, &v)
	r.movedSigner(item, &v)
	v.Conclude()
	if v.Verified() {
		named(ctx, item, target, a, &v)
	}
	return v
}

// kindOf is what an artifact is that was asked for as either.
func kindOf(a registry.Artifact) string {
	if a.ConfigType == helmConfig {
		return Chart
	}
	return Image
}

// judge asks about every piece of evidence. What a signature of the older
// scheme says of the artifact's name is held. Where there is a lock, the piece
// that it names is looked for: another good one does not end the search.
func (r Run) judge(ctx context.Context, item Item, target registry.Target, a registry.Artifact, subject verify.Artifact, v *verify.Verdict) {
	want, ask := registry.Attestation, r.Ask
	if ask == nil {
		want, ask = registry.Signature, (*verify.Verifier).Signature
	}
	target.Evidence(ctx, a, want, func(p registry.Piece) bool {
		if p.Err != nil {
			v.Reasons = append(v.Reasons, reason(p.Name, p.Err))
			return false
		}
		one := ask(r.Verifier.Within(ctx), subject, []evidence.Raw{p.Raw})
		if one.Verified() && !target.OnDisk() {
			if wrong := otherReference(p.Raw, target.Name()); wrong != nil {
				v.Reasons = append(v.Reasons, *wrong)
				return false
			}
		}
		v.Signers, v.Reasons = append(v.Signers, one.Signers...), append(v.Reasons, one.Reasons...)
		return one.Verified() && r.lockNames(item, one.Signers)
	})
}

func failed(v verify.Verdict, name string, err error) verify.Verdict {
	v.Reasons = append(v.Reasons, reason(name, err))
	v.Conclude()
	return v
}

// reason tells what was fetched and is wrong from what could not be fetched:
// only the first is a judgement.
func reason(name string, err error) verify.Reason {
	kind := verify.CouldNotCheck
	if registry.KindOf(err) == registry.Wrong {
		kind = verify.BadEvidence
	}
	message := err.Error()
	if e, ok := errors.AsType[*registry.Error](err); ok {
		message = e.Why // where it was is told beside it
	}
	return verify.Reason{Evidence: name, Kind: kind, Message: message, Fix: registry.FixOf(err)}
}
