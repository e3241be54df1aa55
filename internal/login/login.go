// Package login finds the credentials for a registry: those of docker login, from
// the docker config or podman's, and from the helper programs that it names. A
// program is somebody else's: it is ended in time, and nothing that it prints is
// ever told (R45).
package login

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
)

// helperTime is how long a helper program may take at most: less than whoever asks
// has left, so that it is ended before kora is.
const helperTime = time.Minute

func within(ctx context.Context) time.Duration {
	if end, has := ctx.Deadline(); has {
		return min(helperTime, time.Until(end)*9/10)
	}
	return helperTime
}

// errConfig leaves its cause out: it may quote what could not be read.
var errConfig = errors.New("the credentials in the docker config could not be read")

// Keychain is authn.DefaultKeychain with bounds: where it looks is the same.
func Keychain() authn.Keychain { return keychain{} }

type keychain struct{}

// Resolve is of authn.Keychain.
func (k keychain) Resolve(r authn.Resource) (authn.Authenticator, error) {
	return k.ResolveContext(context.Background(), r)
}

// ResolveContext returns the credentials for a repository, or else for its
// registry; authn.Anonymous where there are none.
func (keychain) ResolveContext(ctx context.Context, r authn.Resource) (authn.Authenticator, error) {
	ctx, cancel := context.WithTimeout(ctx, within(ctx))
	defer cancel()
	c, err := read()
	if err != nil {
		return nil, err
	}
	for _, key := range []string{r.String(), r.RegistryStr()} {
		auth, err := c.of(ctx, key)
		if err != nil || auth != authn.Anonymous {
			return auth, err
		}
	}
	return authn.Anonymous, nil
}

// of returns the credentials under one key, in the order in which docker looks:
// the environment, the helper, the file.
func (c config) of(ctx context.Context, key string) (authn.Authenticator, error) {
	stored := key
	if key == name.DefaultRegistry || key == "docker.io" {
		stored = authn.DefaultAuthKey
	}
	if auth := fromEnvironment(stored); auth != nil {
		return authn.FromConfig(*auth), nil
	}
	helper := c.CredsStore
	if own, has := c.CredHelpers[stored]; has {
		helper = own
	}
	if helper != "" {
		return ask(ctx, helper, stored)
	}
	type answer struct {
		auth authn.Authenticator
		err  error
	}
	done := make(chan answer, 1) // the file may be on a disk that hangs
	go func() { auth, err := authn.DefaultKeychain.Resolve(only(key)); done <- answer{auth, err} }()
	select {
	case got := <-done:
		if got.err != nil {
			return nil, errConfig
		}
		return cmp.Or(got.auth, authn.Anonymous), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// only is a resource with one key, for which the config names no helper: the
// keychain asked for it runs no program.
type only string

func (o only) String() string      { return string(o) }
func (o only) RegistryStr() string { return string(o) }
