package registry

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/runkora/kora/operator/api/v1alpha1"
)

// Failure is why an image could not be read.
type Failure struct {
	// Reason is one of v1alpha1's for conditions.
	Reason string
	// Message says what is wrong, and Fix what to do about it: one sentence each.
	Message, Fix string
	// RetryAfter is how long the registry wants to be left alone, when it says so.
	RetryAfter time.Duration
	// Unasked says that the registry was left alone, since it was silent or asked for a
	// pause a moment ago: nothing new is known of the image.
	Unasked bool

	silent bool // the registry took the time that a read has, and did not answer
	door   bool // it ended before any repository was asked: at /v2/, or at its token
}

// Error is the message and the fix.
func (f *Failure) Error() string { return f.Message + ": " + f.Fix }

// Temporary reports whether the same read may well work later: what was known of
// the image before still holds.
func (f *Failure) Temporary() bool { return f.Reason == v1alpha1.ReasonRegistryUnavailable }

// Waiting reports whether nothing was asked, since other reads are under way: what was
// known of the image still holds, and its turn comes.
func (f *Failure) Waiting() bool { return f.Reason == v1alpha1.ReasonProgressing }

// later is the failure of a read whose turn has not come.
func (t target) later() *Failure {
	return &Failure{Reason: v1alpha1.ReasonProgressing, Message: fmt.Sprintf("the registry %s is not asked yet, since others are being read", t.where()), Fix: "wait, its turn comes by itself"}
}

// paused is the failure of a read that was not made, since a pause is wanted. It tells
// of no other repository than the image's own.
func (t target) paused(by scope, presented int) *Failure {
	if by == ofRepository {
		return t.unavailable("is not asked now: it has asked for a pause for this image's repository alone", patience(presented))
	}
	return t.unavailable("is not asked now: it has asked for a pause for all its repositories, from whoever shows the same credentials or none as this image", patience(presented))
}

// failure says in kora's words what a read ended with.
func (t target) failure(err error, presented int) *Failure {
	var own *Failure
	var led *forbidden
	var answer *transport.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &led):
		return &Failure{Reason: v1alpha1.ReasonRegistryNotAllowed, Message: fmt.Sprintf("the registry %s %s", t.where(), led.what), Fix: led.fix}
	case ledInside(err):
		return &Failure{Reason: v1alpha1.ReasonRegistryNotAllowed, Message: fmt.Sprintf("the registry %s leads to a private or link-local address, and the operator does not go there", t.where()),
			Fix: nameAnother}
	case errors.As(err, &answer):
		return t.answered(answer, presented)
	}
	if errors.Is(err, context.DeadlineExceeded) || timeout(err) {
		return t.silence()
	}
	var beyond *bound
	if errors.As(err, &beyond) {
		return t.unavailable(beyond.what, beyond.fix)
	}
	return t.unavailable(broken(err))
}

// silence is the failure of a read that ended with its time. It has the same words
// each time, so that a registry that stays silent is told of once.
func (t target) silence() *Failure {
	f := t.unavailable("does not answer in time", "check that the operator can reach it: its NetworkPolicies, a firewall, the host")
	f.silent = true
	return f
}

// answered judges an answer by its status alone.
func (t target) answered(answer *transport.Error, presented int) *Failure {
	switch code := answer.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return t.unauthorized(code, presented)
	case code == http.StatusNotFound:
		return &Failure{Reason: v1alpha1.ReasonImageNotFound, Message: fmt.Sprintf("spec.image: the registry %s answers 404, it has no such repository, tag or digest", t.where()),
			Fix: "push the image, or correct the reference"}
	case code == http.StatusTooManyRequests:
		return t.unavailable("answers 429, too many requests", patience(presented))
	case code >= 500:
		return t.unavailable(fmt.Sprintf("answers %d", code), "wait, the operator asks again by itself")
	default:
		return t.unavailable(fmt.Sprintf("answers %d, as no registry does", code), "check that the host serves the registry API /v2/")
	}
}

// patience is what to do about a registry's limits, with the number of credentials
// that are there for it.
func patience(presented int) string {
	if presented == 0 {
		return "wait, the operator asks again by itself; a user of the team's own, in the Secret of spec.pullSecretRef, is asked with at once"
	}
	return "wait, the operator asks again by itself; another user in the Secret of spec.pullSecretRef, or a mirror in agents.sandboxImages.registryMirrors, has limits of its own"
}

func (t target) unauthorized(code, presented int) *Failure {
	if presented == 0 {
		return &Failure{Reason: v1alpha1.ReasonUnauthorized, Message: fmt.Sprintf("spec.image: the registry %s answers %d without credentials, and no pull Secret has any for it", t.where(), code),
			Fix: "name in spec.pullSecretRef a Secret of this namespace that has an entry for this host, or correct the reference"}
	}
	return &Failure{Reason: v1alpha1.ReasonUnauthorized, Message: fmt.Sprintf("spec.pullSecretRef: the registry %s answers %d to the credentials of the pull Secrets", t.where(), code),
		Fix: "renew the Secret, give its user the right to pull this repository, or correct the reference"}
}

// broken is what a connection without an answer of a registry ended with.
func broken(err error) (what, fix string) {
	var name *net.DNSError
	var record tls.RecordHeaderError
	var unknown x509.UnknownAuthorityError
	var wrongHost x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case says(err, "server response headers exceeded", "response header list larger"):
		return fmt.Sprintf("sends more than %d bytes of headers", maxHeaders), lookAgain
	case says(err, "stopped after 10 redirects"):
		return "leads from one request to the next without end", "check that the host serves the registry API /v2/"
	case errors.As(err, &name):
		return "has no address", "correct the host in the reference, or the cluster's DNS"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refuses connections", "check the host and port"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "has an address to which the operator finds no way", "correct the host in the reference, or the routes and firewalls between the cluster and it"
	case errors.As(err, &record), says(err, "server gave HTTP response to HTTPS client"):
		return "does not speak TLS", "map its host to http://host:port in agents.sandboxImages.registryMirrors, as the nodes do"
	case errors.As(err, &unknown), errors.As(err, &wrongHost), errors.As(err, &invalid):
		return "shows a certificate that the operator does not trust", "give it one of a public authority for this host"
	case wrongDigest(err):
		return "sends something else than the digest says", "push the image again; a proxy in between may have changed it"
	}
	return "gives no answer that can be read", "check that the host serves the registry API /v2/"
}

// wrongDigest and ledInside know go-containerregistry's own words: it has no types for them.
func wrongDigest(err error) bool {
	return says(err, "does not match requested digest", "error verifying", "does not match expected size")
}

func ledInside(err error) bool {
	return says(err, "SSRF protection", "is a private or link-local address")
}

func says(err error, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(err.Error(), w) })
}

func timeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

func (t target) unavailable(what, fix string) *Failure {
	return &Failure{Reason: v1alpha1.ReasonRegistryUnavailable, Message: fmt.Sprintf("the registry %s %s", t.where(), what), Fix: fix}
}

// where names the registry as the image does, and the mirror in its place.
func (t target) where() string {
	if t.mirror {
		return fmt.Sprintf("%s (read from its mirror %s)", t.asked, t.host)
	}
	return t.asked
}

// quoted is a host that an answer gave: plain letters, and not too many.
func quoted(host string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".-:", r) {
			return r
		}
		return '?'
	}, host)
	return plain[:min(len(plain), 100)]
}
