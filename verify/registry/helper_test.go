package registry

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
)

// silent is a keychain that does not answer until it is let go, as a helper
// program that asks a person.
type silent chan struct{}

func (s silent) Resolve(authn.Resource) (authn.Authenticator, error) {
	<-s
	return authn.Anonymous, nil
}

// R45: credentials are waited for no longer than anything else of an artifact.
func TestCredentialsThatDoNotCome(t *testing.T) {
	k := make(silent)
	defer close(k)
	c, _ := client(t, func(o *Options) { o.Keychain = k })
	repo, err := name.NewRepository("ghcr.io/a/b")
	fatal(t, err)
	gone := errors.New("the time of this artifact is over")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(gone)
	if auth, err := c.credentials(ctx, repo); auth != nil || !errors.Is(err, gone) {
		t.Errorf("%v %v", auth, err)
	}
}
