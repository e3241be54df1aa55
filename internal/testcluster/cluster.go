package testcluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Options says what [Start] starts. The zero value is a whole cluster.
type Options struct {
	// Binaries is the folder of the programs. Empty: what [Binaries] gives.
	Binaries string
	// Port is the API server's on 127.0.0.1. Zero: any free one.
	Port int
	// Nodes to make. Nil: [Pools].
	Nodes []Node
	// APIServerFlags come after the package's own and win over them.
	APIServerFlags []string
	// Log, when set, is told of each step.
	Log io.Writer

	ports func(n int) ([]int, error) // for tests of a port that is taken meanwhile
}

// Cluster is a running control plane.
type Cluster struct {
	options Options
	home    *home
	procs   *processes
	authority
	places
	client *kubernetes.Clientset
	stop   func() error // once
}

// attempts is how often a cluster is begun anew because a port that was free
// a moment before is taken.
const attempts = 3

// Start returns when the API server, the controllers, the scheduler and every
// node are ready, or with an error and nothing left. It takes about six seconds.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	if options.Binaries == "" {
		folder, err := Binaries(ctx)
		if err != nil {
			return nil, err
		}
		options.Binaries = folder
	}
	if options.ports == nil {
		options.ports = freePorts
	}
	if options.Nodes == nil {
		options.Nodes = Pools()
	}
	for n := 1; ; n++ {
		cluster, err := startOnce(ctx, options)
		if err == nil || n == attempts || options.Port != 0 || !errors.Is(err, errPortTaken) {
			return cluster, err
		}
	}
}

// startOnce is Start with one choice of ports.
func startOnce(ctx context.Context, options Options) (_ *Cluster, err error) {
	c := &Cluster{options: options}
	c.stop = sync.OnceValue(c.end)
	if c.places, err = choosePlaces(options); err != nil {
		return nil, err
	}
	if c.home, err = newHome(); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Stop())
		}
	}()
	if c.procs, err = newProcesses(options.Binaries, c.home.dir); err != nil {
		return nil, err
	}
	if c.authority, err = newAuthority(c.home.dir, c.server()); err != nil {
		return nil, err
	}
	if err := writeStages(c.path("stages.yaml")); err != nil {
		return nil, err
	}
	if c.client, err = kubernetes.NewForConfig(c.Config()); err != nil {
		return nil, err
	}
	return c, c.boot(ctx)
}

// boot starts the programs in the order in which they need each other.
func (c *Cluster) boot(ctx context.Context) error {
	steps := []struct {
		name  string
		start []program
		ready func(context.Context) error
	}{
		{"etcd", []program{c.etcd()}, c.etcdReady},
		{"kube-apiserver", []program{c.apiServer()}, c.answers("/livez")},
		{"controllers", []program{c.controllerManager(), c.scheduler(), c.kwok()}, c.answers("/readyz")},
		{"nodes made", nil, c.makeObjects},
		{"controller-manager", nil, c.healthy(c.controllersPort)},
		{"scheduler", nil, c.healthy(c.schedulerPort)},
		{"nodes", nil, c.nodesReady},
		{"service accounts", nil, c.accountsReady},
	}
	for _, step := range steps {
		for _, p := range step.start {
			if err := c.procs.start(p); err != nil {
				return err
			}
		}
		if err := c.procs.poll(ctx, step.name, step.ready); err != nil {
			return err
		}
		c.log("%s ready", step.name)
	}
	return nil
}

// Stop ends every process and removes everything that was written. It may be
// called more than once.
func (c *Cluster) Stop() error { return c.stop() }

func (c *Cluster) end() error {
	var err error
	if c.procs != nil {
		c.procs.stop()
	}
	if c.home != nil {
		var word string
		if word, err = c.home.remove(); word != "" {
			c.log("%s", word)
		}
	}
	c.log("stopped")
	return err
}

// Config gives a cluster administrator's access; the caller may change it.
func (c *Cluster) Config() *rest.Config { return c.access(c.tokens["admin"]) }

// access has no rate limit of the client's own: it would make tests wait.
func (c *Cluster) access(token string) *rest.Config {
	config := &rest.Config{Host: c.server(), BearerToken: token, QPS: -1, TLSClientConfig: rest.TLSClientConfig{CAData: c.ca}}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return asked{c, next} })
	return config
}

// Client is a cluster administrator's.
func (c *Cluster) Client() *kubernetes.Clientset { return c.client }

// Kubeconfig is the path of a kubeconfig with the same access as [Cluster.Config].
// The file ends with the cluster.
func (c *Cluster) Kubeconfig() string { return c.kubeconfigs["admin"] }

// Binaries is the folder of the programs that run, with their kubectl.
func (c *Cluster) Binaries() string { return c.options.Binaries }

func (c *Cluster) log(format string, args ...any) {
	if c.options.Log != nil {
		fmt.Fprintf(c.options.Log, "testcluster: "+format+"\n", args...)
	}
}
