package services

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"syscall"

	"github.com/runkora/kora/operator/preflight"
)

// isCertificate reports whether the server answered with a certificate that is
// not to be trusted, which is an answer and no silence. Who verifies without a name,
// as verify-ca does, does so beside crypto/tls, whose error it then is not.
func isCertificate(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError)) || errors.As(err, new(x509.UnknownAuthorityError)) || errors.As(err, new(x509.CertificateInvalidError)) ||
		errors.As(err, new(x509.HostnameError)) || errors.As(err, new(x509.SystemRootsError)) || errors.As(err, new(x509.UnhandledCriticalExtension))
}

// untrusted says in words of our own why a certificate is not to be trusted: it
// is the server's, and so is every text in it.
func untrusted(err error, host string) string {
	const own = preflight.Untrusted
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return own + ": nobody who is trusted here signed it"
	case errors.As(err, new(x509.HostnameError)):
		return own + ": it is not for " + host
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return own + ": it has expired or is not valid yet"
	}
	return own
}

// none is a client's answer to a server that asks for its certificate, and keeps that
// it was asked.
func none(asked *atomic.Bool) func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
	return func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		asked.Store(true)
		return &tls.Certificate{}, nil
	}
}

// alerted reports whether the server ended a connection of TLS because of something
// that it was told, or was not.
func alerted(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error"
}

// silent reports whether nobody answered, in contrast to something that makes no
// sense.
func silent(err error) bool {
	return errors.As(err, new(*net.DNSError)) || errors.As(err, new(*net.OpError)) || errors.As(err, new(net.Error)) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.Canceled) || closed(err)
}

func closed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// silence says in plain words why there is no answer. Of what the system says, the
// kind alone is told.
func silence(err error, host string) string {
	var kind syscall.Errno
	switch {
	case errors.As(err, new(*net.DNSError)):
		return "its name does not resolve from here: " + host
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "it did not answer in time from here"
	case errors.Is(err, context.Canceled):
		return "the run was ended"
	case closed(err):
		return "it closed the connection before it said anything of use"
	case errors.As(err, &kind):
		return "it cannot be reached from here: " + kind.Error()
	}
	return "it cannot be reached from here"
}
