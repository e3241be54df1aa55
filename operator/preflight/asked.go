package preflight

import (
	"fmt"
	"slices"

	"github.com/runkora/kora/operator/preflight/facts"
)

// Asked is what a look by these settings is for.
func (s Settings) Asked() *facts.Asked {
	out := &facts.Asked{
		Namespaces: []string{s.Namespace}, Release: s.Release,
		Database: fmt.Sprintf("%s@%s/%s sslmode=%s secret=%s/%s", s.Database.User, s.Database.address(), s.Database.Database, s.Database.TLS, s.Namespace, s.PlatformSecret),
		Redis:    fmt.Sprintf("%s tls=%s ca=%s secret=%s/%s", s.Redis.address(), s.Redis.TLS, s.RedisCA, s.Namespace, s.PlatformSecret),
	}
	if s.SandboxMount.Enabled {
		out.Mount = s.SandboxMount.Namespace
		out.Namespaces = append(out.Namespaces, s.SandboxMount.Namespace)
	}
	slices.Sort(out.Namespaces)
	return out
}

// meant reports whether the facts answer what these settings ask, and otherwise
// says what they were collected for.
func (v *verdict) meant(what, asked, here string) bool {
	if asked == here {
		return true
	}
	v.found = append(v.found, Finding{
		State: Unchecked, Message: what + " was not looked at for these values", Found: orNothing(asked), Expected: here, Fix: v.again("--only", v.id),
	})
	return false
}
