package kube

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	api "k8s.io/client-go/tools/clientcmd/api"
)

// rules are where the kubeconfig of a place is read, each file of them a plain one.
func (p Place) rules() (*clientcmd.ClientConfigLoadingRules, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath, rules.WarnIfAllMissing = p.Kubeconfig, false
	return rules, plainRules(rules)
}

// current is the context that a place means, by its name, and what the kubeconfig has
// under it: nil where that cannot be read, or has none of the name.
func (p Place) current() (name string, at *api.Context) {
	rules, err := p.rules()
	if err != nil {
		return p.context(), nil
	}
	file, err := rules.Load()
	if err != nil {
		return p.context(), nil
	}
	name = p.in(*file)
	return name, file.Contexts[name]
}

// in is the name of the context that a place means in a kubeconfig.
func (p Place) in(file api.Config) string { return cmp.Or(p.context(), file.CurrentContext) }

// Context is the name of the context that a place means, empty where none is, as
// inside a pod.
func Context(p Place) string {
	name, _ := p.current()
	return name
}

// Namespace is the one that the context of a kubeconfig has, empty for none: Helm
// hands that over too, as if somebody had given it.
func Namespace(p Place) string {
	if _, at := p.current(); at != nil {
		return at.Namespace
	}
	return ""
}

// Where is the context and the API server that a place means, for people to read;
// empty is what is not known. Who has a configuration of the place already asks Context
// and Server.
func Where(p Place) (context, server string) {
	if config, err := Config(p, time.Second); err == nil {
		server = Server(config.Host)
	}
	return Context(p), server
}

// Server is the address of an API server without what may be a secret in it: a user
// and a password, a query and a fragment.
func Server(address string) string {
	bare := !strings.Contains(address, "://")
	if bare {
		address = "//" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	out := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
	if bare {
		return strings.TrimPrefix(out, "//")
	}
	return out
}
