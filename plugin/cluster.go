package main

import (
	"context"
	"net/http"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"

	"github.com/runkora/kora/internal/kube"
)

// bindCluster gives a command kubectl's flags for which cluster. Helm takes its
// own off a plugin's line and hands them over in variables.
func bindCluster(flags *pflag.FlagSet, c *console, p *kube.Place) {
	flags.StringVar(&p.Kubeconfig, "kubeconfig", "", "the kubeconfig `FILE` (default $KUBECONFIG, then the home's)")
	flags.StringVar(&p.Context, "context", "", "the kubeconfig's `CONTEXT`")
	p.Given = kube.OfHelm(c.getenv)
}

// connect reports on its own when there is no way to a cluster. What the client
// asks ends with the context.
func connect(ctx context.Context, c *console, p kube.Place, timeout time.Duration) (*rest.Config, *http.Client, error) {
	config, err := kube.Config(p, timeout)
	if err != nil {
		return nil, nil, c.report(withFixes(list(kube.Fault(err))))
	}
	client, err := kube.Client(ctx, config)
	if err != nil {
		return nil, nil, c.report(withFixes(list(kube.Fault(err))))
	}
	return config, client, nil
}
