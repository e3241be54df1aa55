package kube

import (
	"context"
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/runkora/kora/internal/faults"
)

// Fault says why a cluster could not be asked. A request that it denied names
// the right that is missing, in the server's own words.
func Fault(err error) faults.Fault {
	code := faults.ClusterSilent
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		code = faults.ClusterDenied
	}
	f := faults.New(code, words(err))
	f.File = "cluster"
	return f
}

func words(err error) string {
	switch {
	case errors.Is(err, ErrNowhere):
		return "no cluster is configured"
	case errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "Client.Timeout"):
		return "the cluster's API server does not answer in time"
	case apierrors.IsUnauthorized(err):
		return "the cluster does not know this account"
	}
	return strings.TrimSuffix(err.Error(), ".")
}
