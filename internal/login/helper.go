package login

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/runkora/kora/internal/program"
)

const (
	// maxPrinted is the most that a helper may print, in bytes.
	maxPrinted = 1 << 20
	// grace is how long what a helper started may hold its output open after it.
	grace = time.Second
	// nothingStored is what helpers print who have nothing for a registry.
	nothingStored = "credentials not found in native keychain"
	// byToken is the user of an identity token.
	byToken = "<token>"
)

// ask runs docker-credential-NAME for what it has under a key. It has a process
// group of its own, which ends with the context or when it prints too much. What
// it writes to standard error is dropped, and what it prints is never in an error.
func ask(ctx context.Context, helper, key string) (authn.Authenticator, error) {
	named := "docker-credential-" + helper
	if strings.ContainsAny(helper, `/\`) {
		return nil, errConfig
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	out := &printed{left: maxPrinted, beyond: end}
	cmd := exec.CommandContext(ctx, named, "get")
	cmd.Stdin, cmd.Stdout, cmd.WaitDelay = strings.NewReader(key), out, grace
	program.Apart(cmd)
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case out.over:
		return nil, fmt.Errorf("the credential helper %s prints more than %d bytes, and was ended", named, maxPrinted)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the credential helper %s was ended before it answered: %w", named, context.Cause(ctx))
	case errors.As(err, &exit) && strings.TrimSpace(out.kept.String()) == nothingStored:
		return authn.Anonymous, nil
	case errors.As(err, &exit):
		return nil, fmt.Errorf("the credential helper %s failed with status %d", named, exit.ExitCode())
	case err != nil:
		return nil, fmt.Errorf("the credential helper %s cannot be run, or does not end", named)
	}
	return given(named, out.kept.Bytes())
}

func given(named string, text []byte) (authn.Authenticator, error) {
	var got struct{ Username, Secret string }
	if json.NewDecoder(bytes.NewReader(text)).Decode(&got) != nil {
		return nil, fmt.Errorf("the credential helper %s prints no credentials", named)
	}
	switch {
	case got.Username == "" && got.Secret == "":
		return authn.Anonymous, nil
	case got.Username == byToken:
		return authn.FromConfig(authn.AuthConfig{IdentityToken: got.Secret}), nil
	}
	return authn.FromConfig(authn.AuthConfig{Username: got.Username, Password: got.Secret}), nil
}

// printed keeps what is written, and ends the writer where that is too much.
type printed struct {
	kept   bytes.Buffer
	left   int
	over   bool
	beyond func()
}

// Write is of io.Writer.
func (p *printed) Write(text []byte) (int, error) {
	if len(text) > p.left {
		p.over = true
		p.beyond()
		return 0, io.ErrShortWrite
	}
	p.left -= len(text)
	return p.kept.Write(text)
}
