package checkup

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/settings"
)

// engine is what the checks look at, from what the operator was configured by.
func engine(s settings.Settings, now clock.PassiveClock) preflight.Settings {
	i := s.Installation
	out := preflight.Settings{
		Namespace: s.SystemNamespace, TrustDomain: s.Identity.TrustDomain, FrontendHost: i.FrontendHost,
		Revision: s.Mesh.Revision, SpireClass: s.SpireClassName, StorageClass: i.StorageClassName,
		Database:       preflight.Endpoint{Host: i.Database.Host, Port: i.Database.Port, Database: i.Database.Name, User: i.Database.User, TLS: i.Database.SSLMode},
		Redis:          preflight.Endpoint{Host: i.Redis.Host, Port: i.Redis.Port, TLS: "disable"},
		PlatformSecret: i.Secrets.Platform, FrontendSecret: i.Secrets.Frontend, PullSecrets: s.ImagePullSecrets,
		RedisCA: i.Secrets.RedisCA, Certificate: i.Secrets.Gateway,
		Now:    func() time.Time { return now.Now() },
		Agents: []preflight.Placement{placement("session-manager", i.SessionManagerPlacement), placement("sandbox", s.SandboxPlacement)},
	}
	if i.Redis.TLS {
		out.Redis.TLS = "require"
	}
	return out
}

// placement knows no patches: those are applied by kora-agents. The command,
// which renders them, sees them too.
func placement(name string, p settings.Placement) preflight.Placement {
	return preflight.Placement{Name: name, Spec: corev1.PodSpec{NodeSelector: p.NodeSelector, Tolerations: p.Tolerations, Affinity: p.Affinity}}
}

// checks are all but those of admission, for which the operator would need the
// right to install the release.
func checks() ([]preflight.Check, error) {
	return preflight.Skip(preflight.Checks(), []string{"admission"})
}
