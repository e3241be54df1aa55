package kube

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// Where is the context and the API server that a place means, for people to read;
// empty is what is not known, as the context inside a pod.
func Where(p Place) (context, server string) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath, rules.WarnIfAllMissing = p.Kubeconfig, false
	if plainRules(rules) != nil {
		return p.context(), ""
	}
	if file, err := rules.Load(); err == nil {
		context = cmp.Or(p.context(), file.CurrentContext)
	}
	if config, err := Config(p, time.Second); err == nil {
		server = Server(config.Host)
	}
	return context, server
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
