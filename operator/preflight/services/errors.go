package services

import (
	"context"
	"crypto/tls"
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

// silent reports whether nobody answered, in contrast to something that makes no
// sense.
func silent(err error) bool {
	return errors.As(err, new(*net.DNSError)) || errors.As(err, new(*net.OpError)) || errors.As(err, new(net.Error)) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.Canceled) || closed(err)
}

func closed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// silence says in plain words why there is no answer.
func (s secrets) silence(err error) string {
	var name *net.DNSError
	var at *net.OpError
	switch {
	case errors.As(err, &name):
		return s.told("its name does not resolve from here", name.Name)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "it did not answer in time from here"
	case errors.Is(err, context.Canceled):
		return "the run was ended"
	case closed(err):
		return "it closed the connection before it said anything of use"
	case errors.As(err, &at):
		return s.told("it cannot be reached from here", last(at))
	}
	return s.told("it cannot be reached from here", last(err))
}
