package registry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/runkora/kora/verify/evidence"
)

// Media types of evidence, and the annotation that cosign 3 writes beside.
const (
	bundlePrefix    = "application/vnd.dev.sigstore.bundle"
	simpleType      = "application/vnd.dev.cosign.simplesigning.v1+json"
	envelopeType    = "application/vnd.dsse.envelope.v1+json"
	predicateKey    = "dev.sigstore.bundle.predicateType"
	signPredicate   = "https://sigstore.dev/cosign/sign/v1"
	maxOlderLayers  = 500
	olderSignatures = "sig"
	olderStatements = "att"
)

// Want says what is asked of an artifact.
type Want int

// A signature is what R45 asks for; attestations also come from the older tag
// sha256-<hex>.att.
const (
	Signature Want = iota
	Attestation
)

// Piece is one piece of evidence, or why it could not be had. Its name is
// always there.
type Piece struct {
	evidence.Raw
	Err error
}

// Judge takes one piece and reports whether it proves the artifact.
type Judge func(Piece) bool

// Evidence hands every piece of evidence of an artifact to judge, one at a
// time, so that memory holds one. Bundles that refer to the digest come first,
// the older scheme after them and only without a good one. What lies beside a
// good piece is still judged, up to a limit, so that a report can tell of it.
func (t Target) Evidence(ctx context.Context, a Artifact, want Want, judge Judge) {
	ctx, end := bounded(ctx, t.limits, t.large)
	defer end()
	c := collector{Target: t, ctx: ctx, digest: a.Digest, judge: judge}
	c.referrers()
	if c.good {
		return
	}
	c.older(olderSignatures)
	if want == Attestation {
		c.older(olderStatements)
	}
}

type collector struct {
	Target
	ctx    context.Context
	digest string
	judge  Judge
	good   bool
	beside int // pieces since the first good one
}

func (c *collector) hand(p Piece) {
	if c.good {
		c.beside++
	}
	if c.judge(p) {
		c.good = true
	}
}

func (c *collector) fail(name string, err error) {
	c.hand(Piece{evidence.Raw{Name: name}, wrap(name, err)})
}

// stopped reports whether to look no further. A run that was stopped says so:
// else what it did not see would count as not there.
func (c *collector) stopped(name string) bool {
	if err := context.Cause(c.ctx); err != nil {
		c.fail(name, err)
		return true
	}
	return c.good && c.beside >= c.limits.Beside
}

// referrers reads what refers to the digest: likely signatures first, else by
// digest, so that neither the order of a registry nor what somebody else has
// put beside it decides which of them are looked at.
func (c *collector) referrers() {
	all, errs := c.store.referrers(c.ctx, c.digest)
	slices.SortFunc(all, func(a, b descriptor) int {
		return cmp.Or(cmp.Compare(likely(a), likely(b)), cmp.Compare(a.Digest, b.Digest))
	})
	all = unique(all)
	for i, d := range all {
		if i == c.limits.Referrers {
			c.fail("referrers of "+c.digest, c.tooMany(len(all), i))
			break
		}
		if c.stopped("referrers of " + c.digest) {
			break
		}
		c.referrer(d)
	}
	for _, err := range errs {
		c.fail("referrers of "+c.digest, err)
	}
}

// unique leaves one of those that name the same thing.
func unique(all []descriptor) []descriptor {
	seen := map[thing]bool{}
	return slices.DeleteFunc(all, func(d descriptor) bool {
		again := seen[d.thing()]
		seen[d.thing()] = true
		return again
	})
}

func (c *collector) tooMany(all, seen int) error {
	return &Error{Kind: Unreachable, What: c.name, Why: fmt.Sprintf("%d things refer to it, and %d of them were looked at", all, seen), Fix: "remove what does not belong to the release, or verify against another registry"}
}

func likely(d descriptor) int {
	switch {
	case d.Annotations[predicateKey] == signPredicate:
		return 0
	case strings.HasPrefix(d.ArtifactType, bundlePrefix):
		return 1
	}
	return 2
}

// referrer reads one of them. The type that the list gives it decides nothing:
// registries disagree about it.
func (c *collector) referrer(d descriptor) {
	name := "referrer " + visible(d.Digest)
	m, err := c.manifestOf(name, d)
	switch {
	case err != nil:
		c.fail(name, err)
	case m.Manifests != nil || !sigstore(m):
		// a list of files, another signing scheme: no evidence, and no fault
	case m.Subject == nil || m.Subject.Digest != c.digest:
		c.fail(name, &Error{Kind: Wrong, What: name, Why: "its subject is another artifact: it was moved here from elsewhere"})
	default:
		c.layers(name, m)
	}
}

func (c *collector) manifestOf(name string, d descriptor) (manifest, error) {
	if err := fetchable(name, d, c.limits.Manifest); err != nil {
		return manifest{}, err
	}
	raw, _, err := c.store.manifest(c.ctx, d.Digest)
	if err = exceeds(err); err == nil {
		err = checked(name, raw, d)
	}
	if err != nil {
		return manifest{}, err
	}
	m, err := parse(raw)
	if err != nil {
		err = wrap(name, err)
	}
	return m, err
}
