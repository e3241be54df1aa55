package registry

import (
	"context"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/runkora/kora/verify/evidence"
)

// Limits bound what a registry can cost.
type Limits struct {
	Manifest    int64         // bytes of a manifest, an index or a page of referrers
	Evidence    int64         // bytes of a bundle, a payload or an attestation
	Total       int64         // bytes of all that is read for one artifact: manifests, lists and evidence
	Referrers   int           // manifests that are looked at for one artifact
	Beside      int           // of those, after a signature was found good
	Pages       int           // of a list of referrers
	Connections int           // to one host at a time
	Tries       int           // of one request, the first included
	Wait        time.Duration // before a try, whatever Retry-After says
	Request     time.Duration // of one try, from its start to the last byte
	Idle        time.Duration // without a byte
}

// DefaultLimits fit what real releases have, many times over. Registries
// promise manifests of 4 MiB; a bundle is a few KB, with a provenance in it
// some hundred.
func DefaultLimits() Limits {
	return Limits{
		Manifest: 4 << 20, Evidence: evidence.MaxBundle, Total: 64 << 20,
		Referrers: 500, Beside: 20, Pages: 50,
		Connections: 8, Tries: 4,
		Wait: 30 * time.Second, Request: 60 * time.Second, Idle: 20 * time.Second,
	}
}

// Options are how a Client reaches registries.
type Options struct {
	// Limits are DefaultLimits where zero.
	Limits Limits
	// Offline refuses every connection (R48).
	Offline bool
	// PlainHTTP lets registries that are not on this machine be read without
	// TLS, as cosign's --allow-http-registry does.
	PlainHTTP bool
	// Keychain holds the credentials; none where nil.
	Keychain authn.Keychain
	// UserAgent is what registries are told; empty for Go's own.
	UserAgent string
	// Sleep waits between tries; a timer where nil.
	Sleep func(context.Context, time.Duration) error
}

func (o Options) complete() Options {
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
