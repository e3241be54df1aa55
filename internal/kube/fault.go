package kube

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/runkora/kora/internal/faults"
)

// Fault says why a cluster could not be asked. A request that it denied names
// the right that is missing, in the server's own words; a kubeconfig that cannot
// be read is told as that, with another way out than a server that is silent.
func Fault(err error) faults.Fault {
	code := faults.ClusterSilent
	if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
		code = faults.ClusterDenied
	}
	f := faults.New(code, Words(err))
	f.File = "cluster"
	var file *NoFile
	if errors.As(err, &file) {
		f.File, f.Message = file.Path, "the kubeconfig, or a file that it names, "+file.Why
		f.Fix = "give --kubeconfig, or KUBECONFIG, a kubeconfig that is there: a plain file of at most 1 MiB, as are the files that it names"
	}
	if errors.Is(err, ErrNowhere) {
		f.Fix = "give --kubeconfig FILE, or set KUBECONFIG"
	}
	return f
}

// wordLimit is the most of a server's sentence that is told, in bytes.
const wordLimit = 1000

// Words says on one line why a request came to nothing.
func Words(err error) string {
	var file *NoFile
	var large *TooLarge
	var gone *Closed
	switch {
	case errors.Is(err, ErrNowhere):
		return "no cluster is configured"
	case errors.As(err, &file):
		return file.Error()
	case errors.As(err, &large):
		return large.Error()
	case errors.As(err, &gone):
		return "the API server closed the connection before its answer was whole"
	case errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "Client.Timeout") || isTimeout(err):
		return "the cluster's API server does not answer in time"
	case errors.Is(err, context.Canceled):
		return "the run was ended"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens where the cluster's API server should be" + host(err)
	case apierrors.IsUnauthorized(err):
		return "the cluster does not know this account"
	case apierrors.IsTooManyRequests(err):
		return "the API server has too many requests just now, and asked to come back later"
	}
	return Line(strings.TrimSuffix(err.Error(), "."))
}

func isTimeout(err error) bool {
	var slow net.Error
	return errors.As(err, &slow) && slow.Timeout()
}

// host names the server of a request, as far as the error does.
func host(err error) string {
	var at *url.Error
	if errors.As(err, &at) {
		if u, bad := url.Parse(at.URL); bad == nil {
			return ": " + u.Host
		}
	}
	return ""
}

// Line is a text of somebody else's on one line, without what a terminal would
// obey, and cut where nobody reads on.
func Line(text string) string {
	if len(text) > 4*wordLimit {
		text = text[:4*wordLimit]
	}
	text = strings.Join(strings.Fields(strings.Map(visible, strings.ToValidUTF8(text, ""))), " ")
	if len(text) <= wordLimit {
		return text
	}
	end := wordLimit
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// visible drops what has no form of its own, such as what turns the direction of
// a line around.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case !unicode.IsPrint(r):
		return -1
	}
	return r
}
