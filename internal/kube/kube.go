// Package kube connects a command to the cluster that a person means: as
// kubectl and Helm do, by a kubeconfig or from inside a pod. Neither what it
// reads nor what it waits for is without a bound.
package kube

import (
	"cmp"
	"errors"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/runkora/kora"
)

// Place is which cluster to talk to. Empty fields are what kubectl takes
// without its flags.
type Place struct {
	Kubeconfig string // a file; empty is $KUBECONFIG, then the home's
	Context    string // empty is the kubeconfig's current one
	Given      Given  // what Helm was told stands over the kubeconfig
}

// context is the one that is asked for: a flag of kora's own before Helm's.
func (p Place) context() string { return cmp.Or(p.Context, p.Given.Context) }

// ErrNowhere is that neither a kubeconfig nor a pod says where a cluster is.
var ErrNowhere = errors.New("no cluster is configured: give --kubeconfig FILE, or set KUBECONFIG")

// Unusable is a kubeconfig that says nothing of use, such as one without the
// context that was asked for.
type Unusable struct{ err error }

// Error is of error.
func (u *Unusable) Error() string { return "the kubeconfig cannot be used: " + u.err.Error() }

// Unwrap is of errors.
func (u *Unusable) Unwrap() error { return u.err }

// Config is how to reach the place. A request that gets no answer ends after
// the timeout; a server's warnings are not printed. A kubeconfig that is no plain
// file of at most 1 MiB is a *NoFile, and a field of it that holds or names nothing
// to go by a *Part.
func Config(p Place, timeout time.Duration) (*rest.Config, error) {
	rules, err := p.rules()
	if err != nil {
		return nil, err
	}
	loader := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, p.Given.over(p.context()))
	if file, err := loader.RawConfig(); err == nil {
		if err := parts(file, p); err != nil {
			return nil, err
		}
	}
	config, err := loader.ClientConfig()
	if clientcmd.IsEmptyConfig(err) {
		return nil, nowhere(rules)
	}
	if err != nil {
		return nil, &Unusable{err}
	}
	p.Given.on(config)
	apart := rest.CopyConfig(config)
	apart.ExecProvider = nil
	if _, err := rest.TransportFor(apart); err != nil {
		return nil, &Unusable{err}
	}
	config.Timeout = timeout
	config.UserAgent = "kora/" + kora.Version()
	config.WarningHandler = rest.NoWarnings{}
	return config, nil
}
