package gather

import (
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight/facts"
)

// unread is a part whose request failed. What the server denies names the right.
func unread[T any](err error) facts.Part[T] {
	return facts.Unknown[T](kube.Words(kube.Answered(err)))
}

// denied reports whether RBAC, in contrast to an admission rule, refused.
func denied(err error) bool {
	return apierrors.IsForbidden(err) && strings.Contains(err.Error(), " cannot ")
}

// busy reports whether the server answers nothing of the kind just now, which is
// no answer to what was asked.
func busy(err error) bool {
	return apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err) || apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err)
}
