package gather

import (
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/loopback"
)

// R55: the table of looks knows every check, and none that there is not.
func TestEveryCheckHasItsLooks(t *testing.T) {
	known := looks()
	for _, c := range preflight.Checks() {
		if _, there := known[c.ID]; !there {
			t.Errorf("nobody said what %s looks at", c.ID)
		}
		delete(known, c.ID)
	}
	for id := range known {
		t.Errorf("there is no check %s", id)
	}
}

// counted is a port that counts who comes.
func counted(t *testing.T) (port int, calls *atomic.Int32) {
	t.Helper()
	calls = &atomic.Int32{}
	return loopback.Serve(t, func(net.Conn) { calls.Add(1) }), calls
}

// R55: what is asked of the cluster, and whether the services are called, goes by
// the checks that will be judged.
func TestOnlyWhatIsJudgedIsAsked(t *testing.T) {
	for check, want := range map[string][]string{
		"kubernetes-version": {},
		"system-namespace":   {"/api/v1/namespaces/"},
		"istio-version":      {"/api/v1/pods", "/apis/admissionregistration.k8s.io/"},
		"istio-injection":    {"/api/v1/pods", "/apis/admissionregistration.k8s.io/", "/api/v1/namespaces/"},
		"spire-crd":          {"/apis/apiextensions.k8s.io/"},
		"spire-class":        {"/apis/apps/", "/api/v1/namespaces/"},
		"spire-fallback":     {"/apis/spire.spiffe.io/", "/api/v1/namespaces/", "/apis/apps/"},
		"spire-csi-driver":   {"/apis/storage.k8s.io/v1/csidrivers/"},
		"node-daemons":       {"/api/v1/nodes", "/apis/apps/v1/daemonsets"},
		"storage-class":      {"/apis/storage.k8s.io/v1/storageclasses"},
		"platform-secret":    {"/api/v1/namespaces/kora-system/secrets/kora-secrets"},
		"frontend-secret":    {"/api/v1/namespaces/kora-system/secrets/kora-frontend-secrets"},
		"pull-secrets":       {"/api/v1/namespaces/kora-system/secrets/pull"},
		"redis-ca":           {"/api/v1/namespaces/kora-system/secrets/redis-ca"},
		"postgres":           {"/api/v1/namespaces/kora-system/secrets/kora-secrets"},
		"redis":              {"/api/v1/namespaces/kora-system/secrets/kora-secrets", "/api/v1/namespaces/kora-system/secrets/redis-ca"},
		"privileged-pods":    {"/api/v1/namespaces/"},
	} {
		t.Run(check, func(t *testing.T) {
			postgres, logins := counted(t)
			redis, calls := counted(t)
			s, at := &server{}, settings()
			at.Database.Port, at.Redis.Port = postgres, redis
			s.look(t, Request{Settings: at, Checks: []string{check}, Services: true})
			for _, path := range s.paths() {
				_, path, _ = strings.Cut(path, " ")
				if path != "/version" && !slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(path, w) }) {
					t.Errorf("%s was asked for", path)
				}
			}
			if len(s.paths()) < 2 && len(want) > 0 {
				t.Errorf("nothing was asked: %v", s.paths())
			}
			if (logins.Load() > 0) != (check == "postgres") || (calls.Load() > 0) != (check == "redis") {
				t.Errorf("%d logins, %d calls", logins.Load(), calls.Load())
			}
		})
	}
}

// R55: without the services no Secret is read for them alone.
func TestWithoutServicesNoSecretIsReadForThem(t *testing.T) {
	s := &server{}
	f := s.look(t, Request{Settings: settings(), Checks: []string{"postgres", "redis"}})
	if paths := s.paths(); len(paths) != 1 || f.Database.Missing != "it was not asked" {
		t.Errorf("%v, %+v", paths, f.Database)
	}
}

// R55: no writing of a password leaves in the facts, whatever a service answers.
func TestNoPasswordIsInTheFacts(t *testing.T) {
	const planted = "planted-secret-value"
	s, at := &server{}, settings()
	secret := &corev1.Secret{Data: map[string][]byte{"DB_PASSWORD": []byte(planted), "REDIS_PASSWORD": []byte("other-" + planted)}}
	s.objects = map[string]any{"/api/v1/namespaces/kora-system/secrets/kora-secrets": secret}
	at.Redis.Port = loopback.Echo(t, "-ERR unknown command 'auth', with args beginning with: '"+planted+"'\r\n")
	refusal := "SFATAL\x00C28P01\x00Mno such pass other-" + planted + " data\x00\x00"
	at.Database.Port = loopback.Echo(t, "E\x00\x00\x00"+string(rune(4+len(refusal)))+refusal)
	f := s.look(t, Request{Settings: at, Services: true})
	if text := written(t, f); strings.Contains(text, "planted") || f.Redis.Value.Refused == "" || f.Database.Value.Refused == "" {
		t.Errorf("%+v %+v", f.Redis, f.Database)
	}
}
