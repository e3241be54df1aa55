package registry

import (
	"context"
	"errors"
	"fmt"
)

// store is one repository, wherever it is kept. What it returns for a digest
// was hashed.
type store interface {
	// manifest reads a manifest by tag or digest, "" for the only artifact.
	manifest(ctx context.Context, ref string) (raw []byte, mediaType string, err error)
	// blob reads a layer.
	blob(ctx context.Context, d descriptor, limit int64) ([]byte, error)
	// referrers lists what says to be about a digest. Errors beside a list tell
	// what of it could not be read.
	referrers(ctx context.Context, digest string) ([]descriptor, []error)
	// older lists manifests of the older scheme; kind is "sig" or "att".
	older(ctx context.Context, digest, kind string) ([]descriptor, error)
}

// checked compares bytes with the descriptor they were fetched by.
func checked(what string, raw []byte, d descriptor) error {
	switch {
	case int64(len(raw)) != d.Size:
		return &Error{Kind: Wrong, What: what, Why: fmt.Sprintf("it has %d bytes, and its descriptor says %d", len(raw), d.Size)}
	case digestOf(raw) != d.Digest:
		return &Error{Kind: Wrong, What: what, Why: "its bytes have another digest: " + digestOf(raw)}
	}
	return nil
}

// exceeds makes an answer that is larger than its descriptor says, whose size is
// within the limits, what it is: other bytes than were asked for.
func exceeds(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Kind == Limited {
		other := *e
		other.Kind = Wrong
		return &other
	}
	return err
}

// fetchable refuses a descriptor before anything is fetched by it.
func fetchable(what string, d descriptor, limit int64) error {
	switch {
	case !isDigest(d.Digest):
		return &Error{Kind: Wrong, What: what, Why: "its digest is not sha256: and 64 hex digits"}
	case d.Size < 0:
		return &Error{Kind: Wrong, What: what, Why: fmt.Sprintf("its descriptor says %d bytes", d.Size)}
	case d.Size > limit:
		return &Error{Kind: Limited, What: what, Why: fmt.Sprintf("its descriptor says %d bytes, and at most %d are read", d.Size, limit)}
	}
	return nil
}
