package preflight

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/operator/preflight/gather"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/render"
	"github.com/runkora/kora/plugin/values"
)

// Source is where a run looks: which cluster, and what is to be installed.
type Source struct {
	Place      kube.Place
	Values     values.Input
	Namespace  string
	NoServices bool
	NoTrial    bool // no dry run: the checks of admission are left out
	// Checks are the ids of those to judge; nil: whoever judges may want them all.
	Checks []string
}

// Plan is a run whose values hold.
type Plan struct {
	Settings preflight.Settings
	source   Source
	objects  []*unstructured.Unstructured
	agents   int // how many of them, the last ones, are of agent types
}

// Plan checks the values, and renders what they would install: the release, and
// the objects of an agent type and of those that patches name. What is found of values that hold are warnings of
// the release, as kora render gives them.
func (s Source) Plan(ctx context.Context, now func() time.Time) (*Plan, faults.List) {
	in := Replayed(s.Values)
	made := release.Render(ctx, release.Request{Values: in(), Namespace: s.Namespace})
	if made.Found.Refused() {
		return nil, made.Found
	}
	settings, found := Settings(in(), s.Namespace, now)
	if found.Refused() {
		return nil, found
	}
	sample := render.Agent(render.Request{Values: in(), Agent: values.Agent{Slug: "sample", Namespace: settings.Namespace}})
	types := sample.Named()
	if found := sample.Found; found.Refused() || anyRefused(types) {
		for _, other := range types {
			found = found.With(other.Found)
		}
		return nil, found
	}
	ours, agents := releaseObjects(made), agentObjects(append([]*render.Preview{sample}, types...))
	all := append(ours[:len(ours):len(ours)], agents...)
	settings.Agents, settings.Claims, settings.Release = placements(sample, types), claims(all), digest(all)
	settings.Flags, settings.Place, settings.Program = s.flags(), s.place(), program()
	settings.Pods = append(pods(ours, false), pods(agents, true)...)
	return &Plan{Settings: settings, source: s, objects: all, agents: len(agents)}, made.Found
}

// Look asks the cluster, within a time.
func (p *Plan) Look(ctx context.Context, patience time.Duration) (*facts.Facts, error) {
	config, err := kube.Config(p.source.Place, patience)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	seen, err := p.look(ctx, config)
	if err == nil {
		seen.Cluster = &facts.Cluster{Context: kube.Context(p.source.Place), Server: kube.Server(config.Host)}
		p.Settings.Account = account(ctx, config, seen)
	}
	return seen, err
}

// Look is where a run will look, as far as its flags and its kubeconfig say.
func (s Source) Look() Look {
	out := Look{Namespace: s.Namespace}
	out.Context, out.Server = kube.Where(s.Place)
	return out
}

func (p *Plan) look(ctx context.Context, config *rest.Config) (*facts.Facts, error) {
	config.QPS, config.Burst = 50, 100 // some two hundred requests, once
	return gather.Cluster(ctx, config, gather.Request{Settings: p.Settings, Checks: p.source.Checks, Services: !p.source.NoServices, NoTrial: p.source.NoTrial, Release: p.objects, OfAgents: p.agents})
}
