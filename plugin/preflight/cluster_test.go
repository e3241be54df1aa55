package preflight

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
	"github.com/runkora/kora/plugin/values"
)

const (
	planted = "planted-secret-value"
	system  = "kora-preflight"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// platform makes the cluster one that passes: mesh, namespace, secrets.
func platform(t *testing.T) *testcluster.Cluster {
	t.Helper()
	c := testcluster.Shared(t)
	mesh.Definitions(t, c)
	mesh.Istio{TrustDomain: "example.com"}.Install(t, c)
	mesh.Spire(t, c, "example.com")
	mesh.Ready(t, c)
	mesh.Kubectl(t, c, "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: "+system+"\n  labels: { istio-injection: enabled, pod-security.kubernetes.io/enforce: restricted }\n", "apply", "-f", "-")
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}), 0o600); err != nil {
		t.Fatal(err)
	}
	make := func(args ...string) {
		mesh.Kubectl(t, c, mesh.Kubectl(t, c, "", append([]string{"-n", system, "create", "secret", "generic", "--dry-run=client", "-o", "yaml"}, args...)...), "apply", "-f", "-")
	}
	make("kora-secrets", "--from-literal=DB_PASSWORD="+planted, "--from-literal=REDIS_PASSWORD="+planted, "--from-file=KORA_TOKEN_SIGNING_KEY="+file,
		"--from-literal=KORA_TRIGGERS_ENCRYPTION_KEY="+base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))))
	make("kora-frontend-secrets", "--from-literal=BFF_SESSION_SECRET="+planted+planted)
	return c
}

// seen is one run against the cluster, less the services.
func seen(t *testing.T, kubeconfig string, flags ...string) (*facts.Facts, map[string]engine.Outcome) {
	t.Helper()
	in := values.Input{}
	for _, f := range append([]string{"global.trustDomain=example.com", "frontendHost=example.com", "gateway.tls.enabled=false"}, flags...) {
		in.Flags = append(in.Flags, values.Flag{Kind: values.Set, Text: f})
	}
	s := Source{Place: kube.Place{Kubeconfig: kubeconfig}, Values: in, Namespace: system, NoServices: true}
	plan, found := s.Plan(t.Context(), time.Now)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	f, err := plan.Look(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]engine.Outcome{}
	for _, o := range engine.Judge(engine.Checks(), f, plan.Settings) {
		out[o.ID] = o
	}
	return f, out
}

// R55: a cluster with Istio's own charts and all that D asks for passes every
// check but the services, which were not asked.
func TestClusterPasses(t *testing.T) {
	c := platform(t)
	f, all := seen(t, c.Kubeconfig())
	for id, o := range all {
		want := engine.Passed
		switch {
		case id == "postgres" || id == "redis":
			want = engine.Unchecked
		case o.Reason != "":
			want = engine.Skipped
		}
		if o.State != want {
			t.Errorf("%s is %s, want %s: %+v %v", id, o.State, want, o.Findings, o.BlockedBy)
		}
	}
	path, err := WriteBundle(t.TempDir(), f, false)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), planted) {
		t.Errorf("a secret stands in the bundle: %v", err)
	}
}

// A fault that a cluster can have, and its mend.
type damage struct {
	name       string
	make, mend []string // lines of kubectl
	id         string
	state      engine.State
}

// deactivated are patches of the first webhooks of a configuration, as istioctl makes
// them of a revision's where a tag takes over.
func deactivated(webhooks int) (out []string) {
	for i := range webhooks {
		for _, s := range []string{"namespaceSelector", "objectSelector"} {
			out = append(out, fmt.Sprintf(`{"op":"replace","path":"/webhooks/%d/%s","value":{"matchLabels":{"istio.io/deactivated":"never-match"}}}`, i, s))
		}
	}
	return out
}

func damages() []damage {
	pull := func(image string) []string {
		return []string{"-n istio-system set image deployment/istiod discovery=" + image, "-n istio-system rollout status deployment/istiod --timeout=120s", "-n istio-system wait --for=delete pod -l app=istiod,old=none --timeout=1s"}
	}
	return []damage{
		{"no label for injection", []string{"label namespace " + system + " istio-injection-"}, []string{"label namespace " + system + " istio-injection=enabled"}, "system-namespace", engine.Failed},
		{"no webhook of injection", []string{"delete mutatingwebhookconfiguration istio-sidecar-injector"}, nil, "istio-injection", engine.Failed},
		{"webhooks that are deactivated", []string{`patch mutatingwebhookconfiguration istio-sidecar-injector --type json -p [` + strings.Join(deactivated(4), ",") + `]`}, nil, "istio-injection", engine.Failed},
		{"webhooks to where nobody runs", []string{`patch mutatingwebhookconfiguration istio-sidecar-injector --type json -p [{"op":"replace","path":"/webhooks/2/clientConfig/service/namespace","value":"mesh"}]`}, nil, "istio-injection", engine.Failed},
		{"injection that is off", []string{`-n istio-system patch configmap istio-sidecar-injector --type merge -p {"data":{"config":"policy:\u0020disabled"}}`}, nil, "istio-injection", engine.Failed},
		{"Istio 1.29", pull("docker.io/istio/pilot:1.29.3-distroless")[:2], pull("docker.io/istio/pilot:1.31.1")[:2], "istio-version", engine.Failed},
		{"another class", []string{`-n spire-server patch configmap spire-controller-manager --type merge -p {"data":{"controller-manager-config.yaml":"className:\u0020mine\ntrustDomain:\u0020example.com"}}`},
			[]string{`-n spire-server patch configmap spire-controller-manager --type merge -p {"data":{"controller-manager-config.yaml":"className:\u0020spire-system-spire\ntrustDomain:\u0020example.com"}}`}, "spire-class", engine.Failed},
		{"a namespace ignored", []string{`-n spire-server patch configmap spire-controller-manager --type merge -p {"data":{"controller-manager-config.yaml":"className:\u0020spire-system-spire\ntrustDomain:\u0020example.com\nignoreNamespaces:\u0020[kora]"}}`}, nil, "spire-class", engine.Failed},
		{"a greedy ClusterSPIFFEID without a class", []string{`-n spire-server patch configmap spire-controller-manager --type merge -p {"data":{"controller-manager-config.yaml":"className:\u0020spire-system-spire\ntrustDomain:\u0020example.com\nwatchClassless:\u0020true"}}`, `patch clusterspiffeid spire-system-spire-default --type json -p [{"op":"remove","path":"/spec/className"},{"op":"replace","path":"/spec/fallback","value":false}]`}, nil, "spire-fallback", engine.Failed},
		{"SDS names in HCL", []string{`-n spire-system patch configmap spire-agent --type merge -p {"data":{"agent.conf":"trust_domain\u0020=\u0020\"example.com\"\nsds\u0020{\ndefault_svid_name\u0020=\u0020\"other\"\n}"}}`},
			[]string{`-n spire-system patch configmap spire-agent --type merge -p {"data":{"agent.conf":"trust_domain\u0020=\u0020\"example.com\"\nsds\u0020{\ndefault_svid_name\u0020=\u0020\"default\"\ndefault_bundle_name\u0020=\u0020\"ROOTCA\"\ndefault_all_bundles_name\u0020=\u0020\"ALL\"\n}"}}`}, "spire-sds", engine.Failed},
		{"a greedy ClusterSPIFFEID", []string{`patch clusterspiffeid spire-system-spire-default --type merge -p {"spec":{"fallback":false}}`}, []string{`patch clusterspiffeid spire-system-spire-default --type merge -p {"spec":{"fallback":true}}`}, "spire-fallback", engine.Failed},
		{"no CSI driver", []string{"delete csidriver csi.spiffe.io"}, nil, "spire-csi-driver", engine.Failed},
		{"no password", []string{`-n ` + system + ` patch secret kora-secrets --type json -p [{"op":"remove","path":"/data/DB_PASSWORD"}]`}, []string{`-n ` + system + ` patch secret kora-secrets --type merge -p {"stringData":{"DB_PASSWORD":"x"}}`}, "platform-secret", engine.Failed},
		{"a quota", []string{"-n " + system + " create quota small --hard=services=0"}, []string{"-n " + system + " delete quota small"}, "release", engine.Failed},
	}
}

// R55: each fault is seen on the real control plane, and its mend too.
func TestClusterFaultsAndTheirMends(t *testing.T) {
	c := platform(t)
	for _, d := range damages() {
		t.Run(d.name, func(t *testing.T) {
			run := func(lines []string) {
				for _, line := range lines {
					mesh.Kubectl(t, c, "", strings.Fields(line)...)
				}
			}
			run(d.make)
			state := settled(t, c, d.id, d.state)
			run(d.mend)
			if d.mend == nil {
				mesh.Istio{TrustDomain: "example.com"}.Install(t, c)
				mesh.Spire(t, c, "example.com")
			}
			if state != d.state {
				t.Errorf("%s is %s, want %s", d.id, state, d.state)
			}
			if state := settled(t, c, d.id, engine.Passed); state != engine.Passed {
				t.Errorf("mended, %s is %s", d.id, state)
			}
		})
	}
}

// settled looks until a check has a state, as old pods end and quotas count in
// their own time, and gives the last one.
func settled(t *testing.T, c *testcluster.Cluster, id string, want engine.State) (last engine.State) {
	t.Helper()
	ctx, cancel := context.WithTimeout(c.Context(t), time.Minute)
	defer cancel()
	for {
		_, all := seen(t, c.Kubeconfig())
		if last = all[id].State; last == want || ctx.Err() != nil {
			return last
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// R55: an account without rights passes nothing and fails nothing: it is told
// what it may not read.
func TestClusterWithoutRights(t *testing.T) {
	c := platform(t)
	config, err := c.ConfigOf(t.Context(), system, "default")
	if err != nil {
		t.Fatal(err)
	}
	s := Source{Values: values.Input{Flags: []values.Flag{{Kind: values.Set, Text: "global.trustDomain=example.com"}, {Kind: values.Set, Text: "frontendHost=example.com"}}}, Namespace: system, NoServices: true}
	plan, found := s.Plan(t.Context(), time.Now)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	f, err := plan.look(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range engine.Judge(engine.Checks(), f, plan.Settings) {
		if o.State == engine.Failed || o.State == engine.Passed && !slices.Contains([]string{"kubernetes-version"}, o.ID) {
			t.Errorf("%s is %s: %+v", o.ID, o.State, o.Findings)
		}
	}
}
