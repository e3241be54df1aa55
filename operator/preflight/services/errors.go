package services

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
)

// isCertificate reports whether the server answered with a certificate that is
// not to be trusted, which is an answer and no silence.
func isCertificate(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError))
}

// untrusted says in words of our own why a certificate is not to be trusted: it
// is the server's, and so is every text in it.
func untrusted(err error, host string) string {
	const own = "its certificate is not trusted"
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
