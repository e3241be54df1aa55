package release

import (
	"context"
	"errors"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify"
	"github.com/runkora/kora/verify/evidence"
	"github.com/runkora/kora/verify/registry"
)

// fetched verifies a chart or an image: the reference is resolved once, and
// all evidence is that of the digest (R45).
func (r Run) fetched(ctx context.Context, item Item) verify.Verdict {
	v := begin(item)
	target, err := r.Client.Open(item.Ref)
	if err != nil {
		return failed(v, "manifest", err)
	}
	a, err := target.Resolve(ctx)
	if err != nil {
		return failed(v, "manifest", err)
	}
	v.Digest = a.Digest
	if moved := movedDigest(item, a.Digest); moved != nil {
		v.Reasons = append(v.Reasons, *moved)
		v.Conclude()
		return v
	}
	v.Resolved.Tag, v.Resolved.MediaType, v.Resolved.Index = a.Tag, a.MediaType, a.Index
	subject, bad := verify.ByDigest(item.Ref, a.Digest)
	if bad.Refused() {
		return failed(v, "manifest", errors.New(bad[0].Message))
	}
	target.Evidence(ctx, a, registry.Signature, func(p registry.Piece) bool {
		if p.Err != nil {
			v.Reasons = append(v.Reasons, reason(p.Name, p.Err))
			return false
		}
		one := r.Verifier.Signature(subject, []evidence.Raw{p.Raw})
		v.Signers, v.Reasons = append(v.Signers, one.Signers...), append(v.Reasons, one.Reasons...)
		return one.Verified()
	})
	movedSigner(item, &v)
	v.Conclude()
	return v
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

// Check refuses references that say nothing definite, before anything is
// asked of a registry.
func Check(c *registry.Client, items []Item) faults.List {
	var found faults.List
	for _, i := range items {
		if i.What == File || i.What == Provenance || i.Missing != "" {
			continue
		}
		if _, err := c.Open(i.Ref); err != nil && registry.KindOf(err) == registry.Wrong {
			f := faults.New(faults.BadRef, "")
			f.File, f.Message, f.Fix = i.Ref, reason(i.Ref, err).Message, registry.FixOf(err)
			found = append(found, f)
		}
	}
	return found
}
