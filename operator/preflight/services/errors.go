package services

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
)

// isCertificate reports whether the server answered with a certificate that is
// not to be trusted, which is an answer and no silence.
func isCertificate(err error) bool {
	return errors.As(err, new(*tls.CertificateVerificationError))
}

// last is the innermost error's text: the outer ones repeat the address.
func last(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// silence says in plain words why there is no answer.
func silence(err error) string {
	var name *net.DNSError
	switch {
	case errors.As(err, &name):
		return "its name does not resolve from here: " + name.Name
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "it did not answer in time from here"
	case errors.Is(err, context.Canceled):
		return "the run was ended"
	}
	return "it cannot be reached from here: " + last(err)
}
