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

// uncalled reports whether a webhook of admission gave no answer: the object was
// not refused, and nobody can say that it would be taken.
func uncalled(err error) bool {
	return apierrors.IsInternalError(err) && strings.Contains(err.Error(), " was not judged: webhook ")
}

// local reports whether a quota or a LimitRange refused: it holds in its namespace
// alone, and says nothing of what runs in another.
func local(err error) bool {
	if err == nil || !apierrors.IsForbidden(err) {
		return false
	}
	for _, by := range []string{": exceeded quota: ", ": failed quota: ", ": a LimitRange: "} {
		if strings.Contains(err.Error(), by) {
			return true
		}
	}
	return false
}
