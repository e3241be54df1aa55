package gather

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/runkora/kora/operator/preflight/facts"
)

// unread is a part whose request failed. What the server denies is in its own
// words, which name the right.
func unread[T any](err error) facts.Part[T] {
	switch {
	case errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "Client.Timeout"):
		return facts.Unknown[T]("the API server did not answer in time")
	case errors.Is(err, context.Canceled):
		return facts.Unknown[T]("the run was ended")
	case apierrors.IsUnauthorized(err):
		return facts.Unknown[T]("the cluster does not know this account")
	}
	return facts.Unknown[T](strings.TrimSuffix(err.Error(), "."))
}

// denied reports whether RBAC, in contrast to an admission rule, refused.
func denied(err error) bool {
	return apierrors.IsForbidden(err) && strings.Contains(err.Error(), " cannot ")
}
