package kube

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// credentialed puts in place of a kubeconfig's credential program, which the
// library would wait for without an end and read without a bound, one that is
// run by this package: a transport that is made when the first request needs it.
// A configuration that has no program is nil; one that no program would make good
// is an error.
func credentialed(config *rest.Config, h *hidden) (*logged, error) {
	if config.ExecProvider == nil {
		return nil, nil
	}
	plain := rest.CopyConfig(config)
	plain.ExecProvider, plain.Timeout = nil, 0
	_, err := rest.TransportFor(plain)
	return &logged{config: plain, program: config.ExecProvider, hidden: h}, err
}

// loggedIn reports whether a configuration has a credential beside any program.
func loggedIn(c *rest.Config) bool {
	return c.BearerToken != "" || c.BearerTokenFile != "" || c.Username != "" || c.CertData != nil || c.CertFile != ""
}

// logged sends requests with what the program gave.
type logged struct {
	config  *rest.Config
	program *api.ExecConfig
	hidden  *hidden

	mutex sync.Mutex
	next  http.RoundTripper
	ends  time.Time // of the credential; zero is never
	slow  error     // of a program that took all the time
}

// RoundTrip is of http.RoundTripper.
func (l *logged) RoundTrip(q *http.Request) (*http.Response, error) {
	next, err := l.transport(q.Context())
	if err != nil {
		return nil, err
	}
	return next.RoundTrip(q)
}

// sooner ends a little before a request does, so that what a program did is told
// and not the end of the request.
func sooner(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-min(time.Until(end)/10, grace)))
}

// transport is one with a credential that still holds. The program is run once
// for all requests that wait.
func (l *logged) transport(ctx context.Context) (http.RoundTripper, error) {
	ctx, cancel := sooner(ctx)
	defer cancel()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.next != nil && (l.ends.IsZero() || time.Now().Before(l.ends)) {
		return l.next, nil
	}
	if err := ctx.Err(); err != nil {
		if l.slow != nil {
			return nil, slowest(err, l.slow)
		}
		return nil, err
	}
	cluster := rest.CopyConfig(l.config)
	cluster.ExecProvider = l.program
	got, err := credentialOf(ctx, l.program, cluster)
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			l.slow = err
		}
		return nil, err
	}
	l.hidden.add(got.Token, got.ClientKeyData)
	config := rest.CopyConfig(l.config)
	config.BearerToken, config.CertData, config.KeyData = got.Token, []byte(got.ClientCertificateData), []byte(got.ClientKeyData)
	next, err := rest.TransportFor(config)
	if err != nil {
		return nil, &NoCredential{Program: l.program.Command, Why: "gives a certificate and a key that are no pair"}
	}
	l.next, l.ends = next, time.Time{}
	if got.ExpirationTimestamp != nil {
		l.ends = got.ExpirationTimestamp.Time
	}
	return next, nil
}
