package main

import (
	"maps"
	"slices"

	"github.com/runkora/kora/operator/admission"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/certificates"
	"github.com/runkora/kora/operator/checkup"
	"github.com/runkora/kora/operator/door"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/injection"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/pulls"
	"github.com/runkora/kora/operator/registries"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/settings"
	"github.com/runkora/kora/operator/tenants"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// parts are all that the operator does, and the server of its webhooks, which is
// nil where their port is 0 and there are none.
func parts(s settings.Settings, now clock.PassiveClock, host string) ([]manager.Part, webhook.Server) {
	registered, bundled := registries.New(s, now), images.NewBundled(s)
	all := []manager.Part{
		tenants.New(s, now, registered, bundled),
		registered,
		bundled,
		images.New(s, now),
		checkup.New(s, now, metrics.Registry),
		pulls.New(s),
	}
	if s.Ports.Webhooks == 0 {
		return all, nil
	}
	hooks := certificates.New(certificates.Settings{Namespace: s.SystemNamespace, Clock: now, Metrics: metrics.Registry})
	server := door.New(door.Options{Host: host, Port: s.Ports.Webhooks, TLS: hooks.TLS()})
	return append(all,
		hooks,
		admission.New(platform(s)),
		injection.New(injection.Settings{Image: s.Enforcer, Sidecars: agents.Sidecars{CPU: s.Sidecars.CPU, Memory: s.Sidecars.Memory}}),
	), server
}

// platform is what the rules of admission need to know of the installation.
func platform(s settings.Settings) rules.Platform {
	p := rules.PlatformOf(s)
	p.Base, p.Bundled = images.Base, []string{images.Base}
	for _, name := range slices.Sorted(maps.Keys(s.SandboxImages.Bundled)) {
		if s.SandboxImages.Bundled[name].Enabled {
			p.Bundled = append(p.Bundled, "kora-"+name)
		}
	}
	return p
}
