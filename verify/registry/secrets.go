package registry

import (
	"context"
	"encoding/base64"
	"strings"
	"sync"

	"github.com/google/go-containerregistry/pkg/authn"
)

// secrets are the credentials that this run has used. Nothing that a registry
// sends back may carry one of them into a message.
type secrets struct {
	mu  sync.Mutex
	all []string
}

func (s *secrets) add(cfg *authn.AuthConfig) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range []string{cfg.Password, cfg.Auth, cfg.IdentityToken, cfg.RegistryToken, base64.StdEncoding.EncodeToString([]byte(cfg.Username + ":" + cfg.Password))} {
		if len(v) > 3 {
			s.all = append(s.all, v)
		}
	}
}

// scrub takes every known secret out of a text.
func (s *secrets) scrub(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.all {
		text = strings.ReplaceAll(text, v, "[hidden]")
	}
	return text
}

// credentials resolves what the keychain has for a repository, once, so that
// a helper program is not run for every token.
func (c *Client) credentials(ctx context.Context, r authn.Resource) (authn.Authenticator, error) {
	if c.o.Keychain == nil {
		return authn.Anonymous, nil
	}
	type had struct {
		cfg *authn.AuthConfig
		err error
	}
	done := make(chan had, 1)
	go func() { cfg, err := configured(ctx, c.o.Keychain, r); done <- had{cfg, err} }()
	select {
	case got := <-done:
		switch {
		case got.err != nil:
			return nil, badCredentials(r)
		case got.cfg == nil:
			return authn.Anonymous, nil
		}
		c.secrets.add(got.cfg)
		return authn.FromConfig(*got.cfg), nil
	case <-ctx.Done(): // a helper that asks a person, or a config that is a pipe, is left
		return nil, context.Cause(ctx)
	}
}

// configured asks the keychain, which may run a program and may never answer;
// nil where it has nothing for the repository.
func configured(ctx context.Context, k authn.Keychain, r authn.Resource) (*authn.AuthConfig, error) {
	auth, err := authn.Resolve(ctx, k, r)
	if err != nil || auth == authn.Anonymous {
		return nil, err
	}
	return authn.Authorization(ctx, auth)
}

// badCredentials leaves the cause out: it may quote what it could not read.
func badCredentials(r authn.Resource) error {
	return &Error{
		Kind: Denied, What: r.String(), Why: "the credentials in the docker config could not be read",
		Fix: "see the docker config, and the credential helper that it names for " + r.RegistryStr(),
	}
}
