package registry

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// host is one registry that the user named. Every request on its account goes
// through its RoundTrip, whoever makes it and wherever it leads: that is the
// one place where hosts, plain http and credentials are judged.
type host struct {
	name   string // as references have it, "127.0.0.1:5000"
	client *Client
	realm  atomic.Pointer[url.URL] // the token service that may see credentials

	pinged    once
	challenge *transport.Challenge
	failed    error

	mu    sync.Mutex
	repos map[string]*session
}

// session is one repository that is logged in to, or will be.
type session struct {
	login once
	rt    http.RoundTripper
}

// once lets one caller at a time do a thing. Unlike sync.Once a caller can
// give up waiting, and the next one tries again what was not done.
type once chan struct{}

func (o once) do(ctx context.Context, f func() error) error {
	select {
	case o <- struct{}{}:
		defer func() { <-o }()
		return f()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func newHost(c *Client, name string) *host {
	return &host{name: name, client: c, pinged: make(once, 1), repos: map[string]*session{}}
}

// repository returns the transport that is logged in for pulling from a
// repository, and its scheme. The registry is asked once how to log in,
// whatever it answers.
func (h *host) repository(ctx context.Context, repo name.Repository) (http.RoundTripper, string, error) {
	if err := h.pinged.do(ctx, func() error { return h.ping(ctx, repo.Registry) }); err != nil {
		return nil, "", err
	}
	s := h.session(repo)
	err := s.login.do(ctx, func() (err error) {
		if s.rt == nil {
			s.rt, err = h.login(ctx, repo)
		}
		return err
	})
	scheme := "https"
	if h.challenge.Insecure {
		scheme = "http"
	}
	return s.rt, scheme, err
}

func (h *host) session(repo name.Repository) *session {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.repos[repo.Name()] == nil {
		h.repos[repo.Name()] = &session{login: make(once, 1)}
	}
	return h.repos[repo.Name()]
}

func (h *host) ping(ctx context.Context, reg name.Registry) error {
	if h.challenge != nil || h.failed != nil {
		return h.failed
	}
	challenge, err := transport.Ping(ctx, reg, h)
	if err != nil {
		err = answered(reg.Name(), err)
		if ctx.Err() == nil { // else it was only this caller who gave up
			h.failed = err
		}
		return err
	}
	h.challenge = challenge
	return nil
}

// login exchanges the credentials for a token. A token service of another site
// gets none: whoever answers for the registry could name it (the bearer-realm
// leak).
func (h *host) login(ctx context.Context, repo name.Repository) (http.RoundTripper, error) {
	auth, err := h.client.credentials(ctx, repo)
	if err != nil {
		return nil, err
	}
	if !bearer(h.challenge) {
		return transport.FromToken(repo.Registry, auth, h, h.challenge, nil)
	}
	if h.trust(h.challenge.Parameters["realm"]) == nil {
		auth = authn.Anonymous
	}
	token, err := h.token(ctx, repo, auth)
	if err != nil {
		return nil, err
	}
	return transport.FromToken(repo.Registry, auth, h, h.challenge, token)
}

func (h *host) token(ctx context.Context, repo name.Repository, auth authn.Authenticator) (*transport.Token, error) {
	cfg, err := authn.Authorization(ctx, auth)
	if err != nil {
		return nil, badCredentials(repo)
	}
	if cfg.RegistryToken != "" {
		return &transport.Token{Token: cfg.RegistryToken}, nil
	}
	token, err := transport.Exchange(ctx, repo.Registry, auth, h, []string{repo.Scope(transport.PullScope)}, h.challenge)
	if err != nil {
		return nil, answered(repo.Name(), err)
	}
	token.Token = cmp.Or(token.Token, token.AccessToken)
	h.client.secrets.add(&authn.AuthConfig{RegistryToken: token.Token, IdentityToken: token.RefreshToken})
	return token, nil
}

// trust returns the realm when it may see credentials: over TLS when it is of
// the registry's own site, and without TLS only when it is the registry.
func (h *host) trust(realm string) *url.URL {
	u, err := url.Parse(realm)
	if err != nil || u.User != nil {
		return nil
	}
	own := &url.URL{Scheme: u.Scheme, Host: h.name}
	switch {
	case authority(u) == authority(own) && (u.Scheme == "https" || h.challenge.Insecure):
	case u.Scheme == "https" && sameSite(u.Hostname(), own.Hostname()):
		if _, err := netip.ParseAddr(u.Hostname()); err == nil {
			return nil // another port of an address is anybody's
		}
	default:
		return nil
	}
	h.realm.Store(u)
	return u
}
