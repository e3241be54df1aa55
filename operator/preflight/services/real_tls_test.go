//go:build services

package services

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// R24, R55: a real Redis whose TLS is not what the values say is told by what it is,
// and the fix mends it or shows it: it wants a client's certificate, speaks none, or
// speaks nothing else.
func TestServicesRealRedisByAnotherTLS(t *testing.T) {
	ca, pair := authority(t)
	dir, plain, secure := folder(t), freePort(t), freePort(t)
	pairFiles(t, dir, pair)
	write(t, dir, "redis.conf", fmt.Sprintf("bind 127.0.0.1\nport %d\ntls-port %d\ntls-cert-file server.crt\ntls-key-file server.key\ntls-auth-clients yes\ntls-ca-cert-file server.crt\nrequirepass %s\nsave \"\"\ndir %s\n", plain, secure, planted, dir))
	started(t, as(t, "redis", dir, program(t, "redis-server"), filepath.Join(dir, "redis.conf")), plain)
	look := func(port int, mode, trusted string) preflight.Outcome {
		s := preflight.Settings{Namespace: "kora-system", PlatformSecret: "kora-secrets", Redis: preflight.Endpoint{Host: "127.0.0.1", Port: port, TLS: mode}}
		if mode != "disable" {
			s.RedisCA = "redis-ca"
		}
		return seen(t, "redis", s, facts.Facts{Redis: Redis(t.Context(), s.Redis, planted, trusted)})
	}
	fails := func(o preflight.Outcome, want, fix string) string {
		t.Helper()
		if o.State != preflight.Failed || !strings.HasPrefix(o.Findings[0].Found, want) || !strings.Contains(o.Findings[0].Fix, fix) {
			t.Fatalf("%+v", o)
		}
		return o.Findings[0].Fix
	}
	fails(look(secure, "disable", ""), preflight.ClosesPlain, "{enabled: true}")
	pasted(t, dir, fails(look(plain, "require", ca), preflight.NoTLS, "redis-cli "))
	other, _ := authority(t)
	fails(look(secure, "require", other), preflight.Untrusted, "openssl s_client ")
	// What stands for the cluster here tells the authority of its Secret.
	write(t, dir, "kubectl", "#!/bin/sh\nbase64 <server.crt\n")
	if err := os.Chmod(filepath.Join(dir, "kubectl"), 0o700); err != nil {
		t.Fatal(err)
	}
	pasted(t, dir, fails(look(secure, "require", ca), preflight.WantsCertificate, "tls-auth-clients"), "PATH="+dir+":"+os.Getenv("PATH"), "CLIENT_CERT=server.crt", "CLIENT_KEY=server.key")
	if o := look(secure, "require", ca); o.State != preflight.Passed {
		t.Errorf("%+v", o)
	}
}
