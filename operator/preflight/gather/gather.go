package gather

import (
	"context"
	"net/http"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// Request says what to look for besides what every cluster has.
type Request struct {
	Settings preflight.Settings
	// Checks are the ids of those that will be judged: nothing is asked that none
	// of them looks at. nil is all.
	Checks []string
	// Services is false where the database and the cache are not to be asked.
	Services bool
	// NoTrial leaves out what tries to make something, if only by a dry run: an
	// account without the right would only fill the audit log.
	NoTrial bool
	// Release are the objects to try by a dry run; none: that part is left out.
	Release []*metav1.Unstructured
	// OfAgents is how many of them, the last ones, are of an agent type. They are tried
	// in the system namespace, which has the level and the labels of a tenant's.
	OfAgents int
}

// reader is one run.
type reader struct {
	Request
	typed   kubernetes.Interface
	dynamic dynamic.Interface
	config  *rest.Config
	client  *http.Client
	pages   chan struct{} // how many pages may be in memory at once

	kept kube.Budget // of lists

	mutex     sync.Mutex
	words     map[string]string // each label once
	strangers []facts.Stranger
}

// pagesAtOnce bounds the memory: a page is read, thinned and let go of before
// another takes its place.
const pagesAtOnce = 2

// keptLimit is the most that is kept of all lists, in bytes: what ten thousand
// nodes have of names, labels and taints is 25 MiB.
const keptLimit = 96 << 20

// Cluster reads everything at once. It returns an error only when there is no
// cluster to talk to; what else goes wrong stands in the facts. It ends with the
// context, whatever it waits for.
func Cluster(ctx context.Context, config *rest.Config, r Request) (*facts.Facts, error) {
	ctx = kube.Quiet(ctx)
	in, err := open(ctx, config, r)
	if err != nil {
		return nil, err
	}
	info, err := in.typed.Discovery().ServerVersion()
	if err != nil {
		return nil, kube.Answered(err)
	}
	f := facts.Nothing("no check that was asked for looks at it")
	f.Form, f.Asked, f.Kubernetes = facts.FormVersion, r.Settings.Asked(), in.version(info.GitVersion)
	in.all(ctx, f)
	return f, nil
}

// version is the cluster's, where it has the form of one.
func (r *reader) version(text string) facts.Part[string] {
	if v := kube.Version(r.client, text); v != "" {
		return facts.Known(v)
	}
	return facts.Unknown[string]("the API server says no version of Kubernetes")
}

// open makes the clients, on which every answer and every wait is bounded.
func open(ctx context.Context, config *rest.Config, r Request) (*reader, error) {
	client, err := kube.Client(ctx, config)
	if err != nil {
		return nil, err
	}
	short := rest.CopyConfig(config) // answers in protobuf where they can be had
	short.ContentType, short.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON
	typed, err := kubernetes.NewForConfigAndClient(short, client)
	if err != nil {
		return nil, err
	}
	loose, err := dynamic.NewForConfigAndClient(config, client)
	if err != nil {
		return nil, err
	}
	return &reader{Request: r, typed: typed, dynamic: loose, config: config, client: client, pages: make(chan struct{}, pagesAtOnce), words: map[string]string{}, kept: kube.Budget{Limit: keptLimit}}, nil
}

// all fills the parts, each of which writes a field of its own.
func (r *reader) all(ctx context.Context, f *facts.Facts) {
	var group sync.WaitGroup
	look := func(fill func(), any ...part) {
		if r.wants(any...) {
			group.Go(fill)
		}
	}
	look(func() { f.Namespaces = r.namespaces(ctx) }, namespaces)
	look(func() { f.Nodes = r.nodes(ctx) }, nodes)
	look(func() { f.Revisions, f.Tags, f.Injectors = r.istio(ctx) }, istio)
	look(func() { f.Definitions = r.definitions(ctx) }, crds)
	look(func() { f.StorageClasses = r.storageClasses(ctx) }, classes)
	look(func() { f.RuntimeClasses = r.runtimeClasses(ctx) }, nodes)
	look(func() { f.DaemonSets = r.components(ctx, &f.Spire) }, daemons, spire)
	look(func() { f.Spire.CSI = r.csi(ctx) }, driver)
	look(func() { f.Spire.IDs = r.spiffeIDs(ctx) }, identities)
	look(func() { f.Privileged = r.privileged(ctx) }, privileged)
	look(func() { f.Release = r.release(ctx) }, release)
	look(func() { f.Secrets = r.secrets(ctx); f.Database, f.Redis = r.services(ctx, f.Secrets) }, platform, frontend, pulls, authority, certificate, database, cache)
	group.Wait()
	f.Strangers = r.told()
}
