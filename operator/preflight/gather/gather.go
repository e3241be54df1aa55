package gather

import (
	"context"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/operator/preflight/services"
)

// Request says what to look for besides what every cluster has.
type Request struct {
	Settings preflight.Settings
	// Services is false where the database and the cache are not to be asked.
	Services bool
	// NoTrial leaves out what tries to make something, if only by a dry run: an
	// account without the right would only fill the audit log.
	NoTrial bool
	// Release are the objects to try by a dry run; none: that part is left out.
	Release []*metav1.Unstructured
}

// reader is one run.
type reader struct {
	Request
	typed   kubernetes.Interface
	dynamic dynamic.Interface
	config  *rest.Config
}

// Cluster reads everything at once. It returns an error only when there is no
// cluster to talk to; what else goes wrong stands in the facts. It ends with the
// context.
func Cluster(ctx context.Context, config *rest.Config, r Request) (*facts.Facts, error) {
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	loose, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	in := &reader{Request: r, typed: typed, dynamic: loose, config: config}
	info, err := typed.Discovery().ServerVersion()
	if err != nil {
		return nil, err
	}
	f := &facts.Facts{Form: facts.FormVersion, Asked: r.Settings.Asked(), Kubernetes: facts.Known(info.GitVersion)}
	in.all(ctx, f)
	return f, nil
}

// all fills the parts, each of which writes a field of its own.
func (r *reader) all(ctx context.Context, f *facts.Facts) {
	var group sync.WaitGroup
	for _, part := range []func(){
		func() { f.Namespaces = r.namespaces(ctx) },
		func() { f.Nodes = r.nodes(ctx) },
		func() { f.Revisions = r.revisions(ctx) },
		func() { f.Tags = r.tags(ctx) },
		func() { f.Definitions = r.definitions(ctx) },
		func() { f.StorageClasses = r.storageClasses(ctx) },
		func() { f.DaemonSets, f.Spire = r.components(ctx) },
		func() { f.Privileged = r.privileged(ctx) },
		func() { f.Release = r.release(ctx) },
		func() { f.Secrets = r.secrets(ctx); f.Database, f.Redis = r.services(ctx, f.Secrets) },
	} {
		group.Go(part)
	}
	group.Wait()
}

// services asks the database and the cache with the passwords of the Secret.
func (r *reader) services(ctx context.Context, secrets map[string]facts.Part[*facts.Secret]) (facts.Part[facts.Database], facts.Part[facts.Redis]) {
	if !r.Services {
		return facts.Unknown[facts.Database]("it was not asked"), facts.Unknown[facts.Redis]("it was not asked")
	}
	s := r.Settings
	value := func(secret, key string) string {
		if p := secrets[s.Namespace+"/"+secret]; p.Value != nil {
			return string(p.Value.Values[key].Bytes)
		}
		return ""
	}
	var database facts.Part[facts.Database]
	var redis facts.Part[facts.Redis]
	var group sync.WaitGroup
	group.Go(func() { database = services.Postgres(ctx, s.Database, value(s.PlatformSecret, "DB_PASSWORD")) })
	group.Go(func() {
		redis = services.Redis(ctx, s.Redis, value(s.PlatformSecret, "REDIS_PASSWORD"), value(s.RedisCA, "ca.crt"))
	})
	group.Wait()
	return database, redis
}
