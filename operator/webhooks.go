package main

import (
	"github.com/runkora/kora/operator/admission"
	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/certificates"
	"github.com/runkora/kora/operator/injection"
	"github.com/runkora/kora/operator/manager"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/settings"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// webhooks are the server of the admission webhooks and the parts that answer, and
// that keep its certificates (R54).
func webhooks(s settings.Settings, now clock.PassiveClock) (webhook.Server, []manager.Part) {
	hooks := certificates.New(certificates.Settings{Namespace: s.SystemNamespace, Clock: now, Metrics: metrics.Registry})
	server := webhook.NewServer(webhook.Options{Port: s.Ports.Webhooks, TLSOpts: hooks.TLS()})
	return server, []manager.Part{
		hooks,
		admission.New(rules.Platform{SystemNamespace: s.SystemNamespace, Bundled: bundled(s)}),
		injection.New(injection.Settings{Image: s.Enforcer, Sidecars: agents.Sidecars{CPU: s.Sidecars.CPU, Memory: s.Sidecars.Memory}}),
	}
}

// bundled are the names of the images that every tenant has.
func bundled(s settings.Settings) []string {
	names := []string{"kora-base"}
	for name, image := range s.SandboxImages.Bundled {
		if image.Enabled {
			names = append(names, "kora-"+name)
		}
	}
	return names
}
