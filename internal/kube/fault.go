package kube

import (
	"context"
	"crypto/tls"
	"crypto/x509"
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
		f.File, f.Message = file.Path, "the kubeconfig "+file.Why
		f.Fix = "give --kubeconfig, or KUBECONFIG, a kubeconfig that is there: a plain file of at most 1 MiB"
	}
	var part *Part
	if errors.As(err, &part) {
		f.File, f.Line, f.Column, f.Field, f.Found, f.Fix = part.File, part.Line, part.Column, part.Field, part.Path, part.fix()
	}
	var unusable *Unusable
	if errors.As(err, &unusable) {
		f.Fix = "mend the kubeconfig, or name another one or another --context: kubectl config view shows what it holds"
	}
	if ofProgram(err) != "" {
		f.Fix = "mend the program that the kubeconfig names under users[].user.exec: kubectl version runs it as well, and says what it says"
	}
	if apierrors.IsUnauthorized(err) {
		f.Fix = "renew the credential that the kubeconfig holds, or name another account with --context: kubectl auth whoami tells whom the cluster knows"
	}
	if ofProxy(err) != "" {
		f.Fix = "mend proxy-url of the cluster in the kubeconfig, or HTTPS_PROXY and NO_PROXY where it has none: kubectl config view --minify shows it, and kubectl version goes the same way"
	}
	if errors.As(err, new(x509.HostnameError)) {
		f.Fix = "mend tls-server-name of the cluster in the kubeconfig, or take it away where server is a name of the certificate: kubectl config view --minify shows both"
	}
	if errors.Is(err, ErrNowhere) {
		f.Fix = "give --kubeconfig FILE, or set KUBECONFIG"
	}
	if errors.As(err, new(*Nowhere)) {
		f.Fix = "give --kubeconfig, or KUBECONFIG, a kubeconfig with a cluster: kubectl config view shows what it holds"
	}
	return f
}

// Lasting reports whether no waiting mends an error, but only a person: nothing
// says where a cluster is, or what says so cannot be used, the program for a
// credential cannot be run or gives none, the cluster does not know the account, or
// its certificate is not one that the kubeconfig trusts. Whatever else a cluster
// answers may change, and so may a program that failed.
func Lasting(err error) bool {
	for _, known := range []any{new(*NoFile), new(*Part), new(*Unusable), new(x509.UnknownAuthorityError), new(x509.HostnameError)} {
		if errors.As(err, known) {
			return true
		}
	}
	var program *NoCredential
	return errors.Is(err, ErrNowhere) || apierrors.IsUnauthorized(err) || errors.As(err, &program) && program.lasting
}

// wordLimit is the most of a server's sentence that is told, in bytes.
const wordLimit = 1000

// Words says on one line why a request came to nothing.
func Words(err error) string {
	var file *NoFile
	var part *Part
	var large *TooLarge
	var gone *Closed
	var empty *Nowhere
	switch {
	case errors.As(err, &empty):
		return empty.Error()
	case errors.Is(err, ErrNowhere):
		return "no cluster is configured"
	case errors.As(err, &file):
		return file.Error()
	case errors.As(err, &part):
		return part.Error()
	case errors.As(err, &large):
		return large.Error()
	case errors.As(err, &gone):
		return "the API server closed the connection before its answer was whole"
	case ofProgram(err) != "":
		return ofProgram(err)
	case ofProxy(err) != "":
		return ofProxy(err)
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
	var at *url.Error
	if errors.As(err, &at) {
		return unreached(at.Err) + host(err)
	}
	return Line(strings.TrimSuffix(err.Error(), "."))
}

// ofProgram is what is told of a credential program, empty where it is not about
// one. Go's client makes a text of every error that it has when its time is over.
func ofProgram(err error) string {
	var program *NoCredential
	if errors.As(err, &program) {
		return Line(program.Error())
	}
	var at *url.Error
	if !errors.As(err, &at) || !strings.HasPrefix(at.Err.Error(), credentials) {
		return ""
	}
	text, _, _ := strings.Cut(at.Err.Error(), " (Client.Timeout ")
	return Line(text)
}

// unreached says in words of our own why there is no answer: a certificate's
// texts, and what does not speak HTTP, are the server's.
func unreached(err error) string {
	var kind syscall.Errno
	var name x509.HostnameError
	switch {
	case errors.As(err, new(*net.DNSError)):
		return "the name of the cluster's API server does not resolve"
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return "nobody whom the kubeconfig trusts signed the API server's certificate"
	case errors.As(err, &name):
		return "the API server's certificate is for other names than " + Line(name.Host) + ", by server or tls-server-name of the kubeconfig"
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return "the API server's certificate is not trusted" + untrusted(err)
	case errors.As(err, new(tls.RecordHeaderError)), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "what answers where the cluster's API server should be does not speak TLS, and the kubeconfig says https"
	case ofTLS(err):
		return handshake(err)
	case errors.As(err, &kind):
		return "the API server cannot be reached: " + kind.Error()
	}
	return "what answers where the cluster's API server should be does not speak as one"
}

// Garbled is an answer that is not what was asked for.
type Garbled struct{}

// Error is of error.
func (Garbled) Error() string {
	return "the API server's answer cannot be read: it is not what was asked for"
}

// Said is a reason in kora's own words.
type Said string

// Error is of error.
func (s Said) Error() string { return string(s) }

// Answered is the error of a request to a cluster, a refusal in kora's words. Where
// it is of reading the answer, or a refusal in an answer that says that all is well,
// it is a Garbled: what the libraries say of it quotes the answer.
func Answered(err error) error {
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		if own, ours := told(status); ours {
			return own
		}
		return Garbled{}
	}
	for _, known := range []any{new(*url.Error), new(*TooLarge), new(*Closed), new(Said), new(*NoFile)} {
		if err == nil || errors.As(err, known) {
			return err
		}
	}
	if strings.Contains(err.Error(), "would exceed context deadline") { // the library's wait for its turn
		return context.DeadlineExceeded
	}
	if errors.Is(err, context.Canceled) || isTimeout(err) || errors.Is(err, ErrNowhere) {
		return err
	}
	return Garbled{}
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
