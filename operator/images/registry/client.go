package registry

import (
	"context"
	"crypto/x509"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/utils/clock"
)

// Client reads images. Its fields are not changed once it is used; it may be used
// by several at once.
type Client struct {
	// Mirrors maps a registry's host, as references write it, to
	// "[http[s]://]host[:port][/path]" (R30).
	Mirrors map[string]string
	// Ports may be read from besides 443 (R30).
	Ports []int
	// Limits of one read. Zero fields are the defaults'.
	Limits Limits
	// Keep is how long an answer serves the same question, with the same
	// credentials, of other tenants. Zero: not at all.
	Keep time.Duration
	// Clock is the machine's when nil.
	Clock clock.PassiveClock

	memory memory
	pauses pauses
	turns  turns
	dial   dialer         // nil: the network's, for all but tests
	roots  *x509.CertPool // nil: the system's
}

// Limits bound one read.
type Limits struct {
	Time     time.Duration // in all; 30 s
	Body     int64         // bytes of one answer; 4 MiB
	Total    int64         // bytes of all answers; 16 MiB
	Requests int           // with redirects and tokens; 48
}

// limits are those given, or the defaults.
func (c *Client) limits() Limits {
	l := Limits{Time: 30 * time.Second, Body: 4 << 20, Total: 16 << 20, Requests: 48}
	if c.Limits.Time > 0 {
		l.Time = c.Limits.Time
	}
	if c.Limits.Body > 0 {
		l.Body = c.Limits.Body
	}
	if c.Limits.Total > 0 {
		l.Total = c.Limits.Total
	}
	if c.Limits.Requests > 0 {
		l.Requests = c.Limits.Requests
	}
	return l
}

// Request is one image to read.
type Request struct {
	Image string // as spec.image of a SandboxImage writes it
	// Tenant whose image it is: the readers are shared out among tenants.
	Tenant string
	// Platform says that it is the platform's image: no tenant's repository pauses it.
	Platform bool
	// Keyring of the pull Secrets.
	Keyring Keyring
	// Platforms that the configs are wanted for, those of the nodes, as "linux/amd64".
	// None: whatever the image has.
	Platforms []string
}

// Image is what a registry says of one.
type Image struct {
	Digest    string   // what the reference resolves to: of the index where there is one
	Platforms []string // of all images in it, sorted, each once
	Configs   []Config // of those that were wanted and are there
	Missing   []string // platforms that were wanted, and nothing is there that such nodes take
	Partial   []string // and those of which some nodes may take nothing: what is there is for others
}

// Config is the part of an image's config that decides whether it may be a sandbox.
type Config struct {
	Platform string
	User     string // as Dockerfiles write it: "", "100", "100:100", "agent"
	Labels   map[string]string
}

// Read reads one image. What it cannot read is a Failure, and nothing else is
// ever returned as an error. A Failure that is Waiting says that nothing was asked
// yet: it never waits for other reads to end.
func (c *Client) Read(ctx context.Context, r Request) (Image, *Failure) {
	t, refused := c.target(r.Image)
	if refused != nil {
		return Image{}, refused
	}
	if known, ok := c.remembered(r); ok {
		return known, nil
	}
	if !c.turns.take(r.Tenant, t.host, c.now()) {
		return Image{}, t.later()
	}
	begun := c.now()
	image, failure := c.tryAll(ctx, t, r)
	slow := c.now().Sub(begun) > c.limits().Time/6
	c.turns.give(r.Tenant, t.host, slow || failure != nil && failure.silent, c.now())
	if failure == nil {
		c.remember(r, image)
	}
	return image, failure
}

// Waits is the Failure, Waiting, of a read of a tenant's image whose turn would not come
// now. It is nil where it would, and where Read may know an answer: no credentials need be
// read for one that only waits on (R52).
func (c *Client) Waits(image, tenant string) *Failure {
	t, refused := c.target(image)
	if refused != nil || c.mentioned(image) || c.turns.free(tenant, t.host, c.now()) {
		return nil
	}
	return t.later()
}

// tryAll reads with each of the credentials until the registry takes one.
func (c *Client) tryAll(ctx context.Context, t target, r Request) (Image, *Failure) {
	ctx, cancel := context.WithTimeout(ctx, c.limits().Time)
	defer cancel()
	found := r.Keyring.match(t.host, t.ref.Context().RepositoryStr())
	var failure *Failure
	for i := range len(found) + 1 { // without any last: the repository may be public
		auth := authn.Anonymous
		if i < len(found) {
			auth = authn.FromConfig(found[i])
		}
		var image Image
		if image, failure = c.asked(ctx, t, auth, r, len(found)); failure == nil {
			return image, nil
		}
		if failure.Reason != v1alpha1.ReasonUnauthorized {
			break
		}
	}
	return Image{}, failure
}

// asked reads with one set of credentials, unless a pause is wanted of them: limits are
// of a user, and whoever has one of his own does not wait for others.
func (c *Client) asked(ctx context.Context, t target, auth authn.Authenticator, r Request, number int) (Image, *Failure) {
	if f := c.hushed(t, auth, r, number); f != nil {
		return Image{}, f
	}
	image, failure := c.read(ctx, t, auth, r.Platforms, number)
	c.heed(t, auth, r, failure)
	return image, failure
}

// hushed is why a registry is not asked now, nil when it is.
func (c *Client) hushed(t target, auth authn.Authenticator, r Request, number int) *Failure {
	if wait := c.quiet(unheard(t, auth, r)); wait > 0 {
		f := t.silence()
		f.RetryAfter, f.Unasked = wait, true
		return f
	}
	wait, by := c.pauses.wait(party(t.host, auth), t.repository(), r.Platform, c.now())
	if by == nobody {
		return nil
	}
	f := t.paused(by, number)
	f.RetryAfter, f.Unasked = wait, true
	return f
}

// heed notes what a read's end says of the next ones.
func (c *Client) heed(t target, auth authn.Authenticator, r Request, failure *Failure) {
	as, now := party(t.host, auth), c.now()
	switch {
	case failure == nil:
		c.pauses.well(as, t.repository())
	case failure.silent:
		c.hush(unheard(t, auth, r), quietTime)
	case failure.Temporary() && failure.RetryAfter > 0 && failure.door:
		c.pauses.shut(as, now.Add(failure.RetryAfter), now)
	case failure.Temporary() && failure.RetryAfter > 0:
		c.pauses.ask(as, t.repository(), limit{until: now.Add(failure.RetryAfter), tenant: r.Tenant}, now)
	}
}

// unheard is whom a registry was silent to. It is left alone for a while by the tenant
// that waited for it: to another it may well answer. Nor does one of the platform's
// images wait for what a tenant's repository was silent to.
func unheard(t target, auth authn.Authenticator, r Request) question {
	more := []string{"silent", r.Tenant}
	if r.Platform {
		more = append(more, t.repository())
	}
	return party(t.host, auth, more...)
}

// read is Read with one set of credentials, of the number that there are.
func (c *Client) read(ctx context.Context, t target, auth authn.Authenticator, platforms []string, number int) (Image, *Failure) {
	b := c.bounded(t)
	defer b.inner.CloseIdleConnections()
	image, err := b.image(ctx, auth, platforms)
	if err == nil {
		return image, nil
	}
	failure := t.failure(err, number)
	failure.RetryAfter, failure.door = b.pause(c.now()), b.door
	return Image{}, failure
}

// image reads through the transport. Wrapped, it is used without retries and logs
// of go-containerregistry's: the operator has its own time to ask again.
func (b *bounded) image(ctx context.Context, auth authn.Authenticator, platforms []string) (Image, error) {
	wrapped, err := transport.NewWithContext(ctx, b.ref.Context().Registry, auth, b, []string{b.ref.Scope(transport.PullScope)})
	b.door = err != nil // it asks /v2/ and for a token, and for no repository
	if err != nil {
		return Image{}, err
	}
	s := &session{target: b.target, options: []remote.Option{remote.WithContext(ctx), remote.WithTransport(wrapped)}, limits: b.limits}
	return s.image(platforms)
}
