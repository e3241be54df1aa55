package preflight

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/runkora/kora/operator/preflight/facts"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// key is one for all tests: making it takes a while.
var key = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, leastRSA)
	if err != nil {
		panic(err)
	}
	return k
})

func keyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key())})
}

// certificate is one for these hosts that ends then.
func certificate(t *testing.T, ends time.Time, hosts ...string) []byte {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, DNSNames: hosts, NotBefore: ends.Add(-90 * 24 * time.Hour), NotAfter: ends}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key().Public(), key())
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

func secretOf(kind string, pairs map[string]string) facts.Part[*facts.Secret] {
	s := &facts.Secret{Type: kind, Values: map[string]facts.Value{}}
	for k, v := range pairs {
		s.Values[k] = facts.Value{Length: len(v), Bytes: []byte(v)}
	}
	return facts.Known(s)
}

func goodSettings() Settings {
	place := func(name string) Placement {
		return Placement{Name: name, Spec: corev1.PodSpec{NodeSelector: map[string]string{"tier": name}}}
	}
	return Settings{
		Namespace: "kora-system", TrustDomain: "example.com", FrontendHost: "example.com", SpireClass: "spire-system-spire",
		Database:       Endpoint{Host: "postgres.internal", Port: 5432, Database: "kora", User: "kora", TLS: "require"},
		Redis:          Endpoint{Host: "redis.internal", Port: 6379, TLS: "require"},
		PlatformSecret: "kora-secrets", FrontendSecret: "kora-frontend-secrets", PullSecrets: []string{"pull"}, RedisCA: "redis-ca", Certificate: "kora-gateway-tls",
		SandboxMount: Mount{Enabled: true, Namespace: "kora-sandbox-mount", CreateNamespace: true},
		Agents:       []Placement{place("session-manager"), place("sandbox")},
		Now:          func() time.Time { return noon },
		Release:      "sha256:release",
		Account:      "jane",
	}
}

func goodFacts(t *testing.T) *facts.Facts {
	everything := []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	daemon := func(role facts.Role) facts.DaemonSet {
		return facts.DaemonSet{Namespace: "infra", Name: string(role), Role: role, Tolerations: everything, ReadyOn: []string{"a", "b"}}
	}
	return &facts.Facts{
		Form:       facts.FormVersion,
		Asked:      goodSettings().Asked(),
		Kubernetes: facts.Known("v1.36.3"),
		Namespaces: facts.Known(map[string]facts.Namespace{"kora-system": {Labels: map[string]string{"istio-injection": "enabled", "pod-security.kubernetes.io/enforce": "restricted"}}}),
		Nodes: facts.Known([]facts.Node{
			{Name: "a", Labels: map[string]string{"tier": "session-manager"}, Ready: true},
			{Name: "b", Labels: map[string]string{"tier": "sandbox"}, Ready: true},
			{Name: "c", Ready: true},
		}),
		DaemonSets: facts.Known([]facts.DaemonSet{daemon(facts.SpireAgent), daemon(facts.SpireCSI), daemon(facts.IstioCNI)}),
		Revisions: facts.Known([]facts.Revision{{
			Name: "default", Namespace: "istio-system", Versions: []string{"1.31.1"}, Ready: 2, TrustDomain: facts.Known("example.com"), CNI: facts.Known(true), Injection: facts.Known(&facts.Injection{Policy: "enabled"}),
		}}),
		Tags:      facts.Known(map[string]string{}),
		Injectors: facts.Known(webhooks("istio-sidecar-injector", "default", "default")),
		Spire: facts.Spire{
			Class: facts.Known("spire-system-spire"), Manager: facts.Known(facts.Manager{Ignored: []string{"kube-system", "spire-system"}}), TrustDomains: facts.Known(map[string]string{"spire-system/spire-agent": "example.com", "spire-server/spire-server": "example.com"}),
			SDS: facts.Known(facts.SDS{Svid: "default", Bundle: "ROOTCA", AllBundles: "ALL"}),
			IDs: facts.Known([]facts.SpiffeID{{Name: "spire-default", Class: "spire-system-spire", Fallback: true}}), CSI: facts.Known(true),
		},
		Definitions:    facts.Known(map[string][]string{clusterSPIFFEIDs: {"v1alpha1"}}),
		StorageClasses: facts.Known([]facts.StorageClass{{Name: "gp3", Provisioner: "ebs.csi.aws.com", Default: true}}),
		Secrets: map[string]facts.Part[*facts.Secret]{
			"kora-system/kora-secrets": secretOf("Opaque", map[string]string{
				"DB_PASSWORD": "db", "REDIS_PASSWORD": "redis", "KORA_TOKEN_SIGNING_KEY": string(keyPEM()),
				"KORA_TRIGGERS_ENCRYPTION_KEY": base64.StdEncoding.EncodeToString(make([]byte, 32)),
			}),
			"kora-system/kora-frontend-secrets": secretOf("Opaque", map[string]string{"BFF_SESSION_SECRET": "0123456789abcdef0123456789abcdef"}),
			"kora-system/pull":                  secretOf("kubernetes.io/dockerconfigjson", map[string]string{".dockerconfigjson": `{"auths":{"ghcr.io":{}}}`}),
			"kora-system/redis-ca":              secretOf("Opaque", map[string]string{"ca.crt": string(certificate(t, noon.Add(999*time.Hour), "redis"))}),
			"kora-system/kora-gateway-tls":      secretOf("kubernetes.io/tls", map[string]string{"tls.crt": string(certificate(t, noon.Add(999*time.Hour), "example.com", "api.example.com")), "tls.key": string(keyPEM())}),
		},
		Database:   facts.Known(facts.Database{Version: 17, Create: true, TLS: true}),
		Redis:      facts.Known(facts.Redis{Version: "7.2.4", TLS: true}),
		Privileged: facts.Known(facts.Answer{Object: "Pod kora-sandbox-mount/privileged-check"}),
		Release:    facts.Known([]facts.Answer{{Object: "Deployment kora-system/kora-agents"}}),
	}
}
