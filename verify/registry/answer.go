package registry

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// answered makes an Error of what go-containerregistry returned. The words of
// a registry are left out: only the status counts.
func answered(what string, err error) error {
	if t, ok := errors.AsType[*transport.Error](err); ok {
		return status(what, t.StatusCode)
	}
	out := wrap(what, err)
	if e, ok := errors.AsType[*Error](out); ok && e.Kind == Unreachable && tokenless(err) {
		e.Why = "the token service answered with something that is no token"
	} else if ok && e.Kind == Unreachable && realmRefused(err) {
		e.Why, e.Fix = "the registry names a token service that kora does not ask: over plain http, or on an address that is not public", "see who runs this registry; it has to name a token service over https"
	}
	return out
}

// tokenless is an error whose text holds the token service's whole answer,
// which may have credentials in it.
func tokenless(err error) bool {
	const begin = "no token in bearer response"
	text := err.Error()
	return len(text) >= len(begin) && text[:len(begin)] == begin
}

// realmRefused is an error of go-containerregistry's own rules about token
// services, whose text quotes the address that a registry gave.
func realmRefused(err error) bool {
	text := err.Error()
	return strings.Contains(text, "realm") || strings.Contains(text, "token-server redirect")
}

// status is the Error of an answer that is not the one that was asked for.
func status(what string, code int) error {
	e := &Error{Kind: Unreachable, What: what, Why: fmt.Sprintf("the registry answered %d %s", code, http.StatusText(code)), status: code}
	switch code {
	case http.StatusUnauthorized, http.StatusForbidden:
		e.Kind = Denied
	case http.StatusNotFound:
		e.Kind = Missing
	case http.StatusTooManyRequests:
		e.Fix = "wait until the registry's limit is over, or log in: most limits are higher then"
	}
	return e
}
