package kube

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"slices"
	"strings"
)

// untrusted adds why a certificate is not trusted, where one of the usual reasons is it.
func untrusted(err error) string {
	var invalid x509.CertificateInvalidError
	if errors.As(err, &invalid) && invalid.Reason == x509.Expired {
		return ": it has expired, or does not hold yet"
	}
	return ""
}

// ofTLS reports whether an error is of crypto/tls: of the handshake, or an alert
// that the server sent.
func ofTLS(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if strings.HasPrefix(err.Error(), "tls: ") {
			return true
		}
	}
	return false
}

// aboutClient are the alerts of RFC 8446, 6, by which a server refuses who asks:
// bad_certificate to certificate_unknown, unknown_ca and certificate_required.
var aboutClient = []tls.AlertError{42, 43, 44, 45, 46, 48, 116}

// handshake says why there is no TLS connection. An alert that came in is a type
// that crypto/tls keeps to itself, with the text of an AlertError, which is Go's own.
func handshake(err error) string {
	var sent *net.OpError
	if !errors.As(err, &sent) || sent.Op != "remote error" {
		return "no TLS connection to the API server comes about: its version of TLS, or its ciphers, are none that kora takes"
	}
	said := sent.Err.Error()
	if slices.ContainsFunc(aboutClient, func(a tls.AlertError) bool { return a.Error() == said }) {
		return "the API server refuses the client certificate of the kubeconfig, or there is none (" + said + ")"
	}
	return "no TLS connection to the API server comes about: it ends the handshake (" + said + ")"
}
