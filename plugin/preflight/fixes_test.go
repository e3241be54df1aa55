package preflight

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/internal/kube"
	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/plugin/values"
)

// mistake is a fault of a cluster whose mend is what preflight prints, word for
// word.
type mistake struct {
	name  string
	flags []string // values that the install differs by
	make  []string // lines of kubectl
	id    string
	after []string // what undoes mistake and mend for those that follow
}

func mistakes() []mistake {
	in := "-n " + system + " "
	tls := []string{"gateway.tls.enabled=true"}
	pull := []string{"global.imagePullSecrets[0].name=pull"}
	mount, level := []string{"sandboxMount.enabled=true", "sandboxMount.createNamespace=false"}, []string{"create namespace kora-sandbox-mount", "label namespace kora-sandbox-mount pod-security.kubernetes.io/enforce=restricted"}
	warns := append(level[:2:2], "label namespace kora-sandbox-mount pod-security.kubernetes.io/warn=baseline")
	unmount := []string{"delete namespace kora-sandbox-mount"}
	return []mistake{
		{"no injection", nil, []string{"label namespace " + system + " istio-injection-"}, "system-namespace", nil},
		{"Pod Security", nil, []string{"label --overwrite namespace " + system + " pod-security.kubernetes.io/enforce=privileged"}, "system-namespace", nil},
		{"the old label beside a revision", []string{"istio.revision=canary"}, nil, "system-namespace", nil},
		{"a revision beside none", nil, nil, "system-namespace", nil},
		{"no Secret", nil, []string{in + "delete secret kora-secrets"}, "platform-secret", nil},
		{"no password", nil, []string{in + `patch secret kora-secrets --type json -p [{"op":"remove","path":"/data/DB_PASSWORD"}]`}, "platform-secret", nil},
		{"no signing key", nil, []string{in + `patch secret kora-secrets --type json -p [{"op":"remove","path":"/data/KORA_TOKEN_SIGNING_KEY"}]`}, "platform-secret", nil},
		{"an empty encryption key", nil, []string{in + `patch secret kora-secrets --type merge -p {"data":{"KORA_TRIGGERS_ENCRYPTION_KEY":""}}`}, "platform-secret", nil},
		{"no session key", nil, []string{in + `patch secret kora-frontend-secrets --type merge -p {"data":null}`}, "frontend-secret", nil},
		{"no session secret", nil, []string{in + "delete secret kora-frontend-secrets"}, "frontend-secret", nil},
		{"no certificate", tls, nil, "gateway-certificate", []string{in + "delete secret kora-gateway-tls"}},
		{"no pull secret", pull, nil, "pull-secrets", []string{in + "delete secret pull"}},
		{"a ClusterSPIFFEID by a label that nobody has", nil, []string{"create -f testdata/greedy.yaml"}, "spire-fallback", []string{"delete -f testdata/greedy.yaml"}},
		{"a ClusterSPIFFEID of kora's namespace", nil, []string{"create -f testdata/namespace.yaml"}, "spire-fallback", []string{"delete -f testdata/namespace.yaml"}},
		{"an object of somebody else", nil, []string{in + "create serviceaccount kora-agents"}, "release", []string{in + "delete serviceaccount kora-agents"}},
		{"no namespace for the node agent", mount, nil, "privileged-pods", unmount}, {"no namespace for the node agent's objects", mount, nil, "release", unmount},
		{"the node agent at another level", mount, level, "privileged-pods", unmount}, {"the node agent's pod at another level", mount, level, "release", unmount},
		{"the node agent at a level that warns", mount, warns, "release", unmount},
	}
}

// replacing stands before a command that whoever set something may run.
const replacing = "and to replace it runs: "

// obey runs a fix as a user's shell would.
func obey(t *testing.T, c *testcluster.Cluster, fix string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", fix)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+c.Binaries()+":"+os.Getenv("PATH"), "KUBECONFIG="+c.Kubeconfig(), "ADMIN_KUBECONFIG="+c.Kubeconfig(), "HOME="+cmd.Dir,
		"DB_PASSWORD=a b'c", "REDIS_PASSWORD=$x", "REGISTRY=ghcr.io", "REGISTRY_USER=me", "REGISTRY_PASSWORD=p")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s\n%v: %s", fix, err, out)
	}
}

// seenAlone is one check, with what it needs, as --only runs it.
func seenAlone(t *testing.T, c *testcluster.Cluster, id string, flags ...string) engine.Outcome {
	t.Helper()
	checks, err := engine.Select([]string{id})
	if err != nil {
		t.Fatal(err)
	}
	in := values.Input{}
	for _, f := range append([]string{"global.trustDomain=example.com", "frontendHost=example.com", "gateway.tls.enabled=false"}, flags...) {
		in.Flags = append(in.Flags, values.Flag{Kind: values.Set, Text: f})
	}
	s := Source{Place: kube.Place{Kubeconfig: c.Kubeconfig()}, Values: in, Namespace: system, NoServices: true, Checks: engine.Judged(checks)}
	plan, found := s.Plan(t.Context(), time.Now)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	f, err := plan.Look(t.Context(), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	all := engine.Judge(checks, f, plan.Settings)
	return all[len(all)-1]
}

// R55: each fault of the real control plane is mended by the first fix that is
// printed, as it is printed; where that would replace what somebody set, by the
// command that it names for them, and not before.
func TestClusterFixesAsPrinted(t *testing.T) {
	c := platform(t)
	for _, m := range mistakes() {
		t.Run(m.name, func(t *testing.T) {
			run := func(lines []string) {
				for _, line := range lines {
					mesh.Kubectl(t, c, "", strings.Fields(line)...)
				}
			}
			run(m.make)
			defer run(m.after)
			o := seenAlone(t, c, m.id, m.flags...)
			if o.State != engine.Failed {
				t.Fatalf("%s is %s: %+v", m.id, o.State, o)
			}
			obey(t, c, o.Findings[0].Fix)
			if _, replaces, decided := strings.Cut(o.Findings[0].Fix, replacing); decided {
				if kept := seenAlone(t, c, m.id, m.flags...); kept.State != engine.Failed {
					t.Errorf("nobody decided, and %s is %s", m.id, kept.State)
				}
				obey(t, c, replaces)
			}
			if after := seenAlone(t, c, m.id, m.flags...); after.State != engine.Passed {
				t.Errorf("after %s\n%s is %s: %+v", o.Findings[0].Fix, m.id, after.State, after.Findings)
			}
		})
	}
}

// held are Secrets whose keys hold something else than kora needs: the ways to
// make one, its flags, and its check.
func held() []mistake {
	in := "-n " + system + " "
	pull, merge := []string{"global.imagePullSecrets[0].name=pull"}, in+"patch secret kora-secrets --type merge -p "
	return []mistake{
		{"kora-gateway-tls", []string{"gateway.tls.enabled=true"}, []string{in + "create secret generic kora-gateway-tls --from-literal=a=b"}, "gateway-certificate", []string{in + "delete secret kora-gateway-tls"}},
		{"pull", pull, []string{in + "create secret generic pull --from-literal=a=b"}, "pull-secrets", []string{in + "delete secret pull"}},
		{"pull", pull, []string{in + "create secret generic pull --type=kubernetes.io/dockerconfigjson --from-literal=.dockerconfigjson={}"}, "pull-secrets", []string{in + "delete secret pull"}},
		{"kora-frontend-secrets", nil, []string{in + `patch secret kora-frontend-secrets --type merge -p {"stringData":{"BFF_SESSION_SECRET":"x"}}`}, "frontend-secret", []string{in + "delete secret kora-frontend-secrets"}},
		{"kora-secrets", nil, []string{merge + `{"stringData":{"KORA_TOKEN_SIGNING_KEY":"x"}}`}, "platform-secret", nil},
		{"kora-secrets", nil, []string{merge + `{"stringData":{"KORA_TRIGGERS_ENCRYPTION_KEY":"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"}}`}, "platform-secret", nil},
		{"kora-secrets", nil, []string{merge + `{"data":{"DB_PASSWORD":"eAo=","REDIS_PASSWORD":"eAo="}}`}, "platform-secret", []string{in + "delete secret kora-secrets"}},
	}
}

// R55: a Secret that is there with other content is left as it is by the fix as it
// is printed, which may run twice, as may every other.
func TestClusterFixesKeepWhatIsThere(t *testing.T) {
	c := platform(t)
	for _, m := range held() {
		for _, line := range m.make {
			mesh.Kubectl(t, c, "", strings.Fields(line)...)
		}
		state := func() string {
			return mesh.Kubectl(t, c, "", "-n", system, "get", "secret", m.name, "-o", "jsonpath={.metadata.uid}{.metadata.resourceVersion}{.data}")
		}
		before, o := state(), seenAlone(t, c, m.id, m.flags...)
		if o.State != engine.Failed {
			t.Errorf("%s is %s", m.id, o.State)
		}
		for _, f := range o.Findings {
			obey(t, c, f.Fix)
			obey(t, c, f.Fix)
		}
		if after := state(); after != before || before == "" {
			t.Errorf("%s: %s, and after the fix %s", m.id, before, after)
		}
		for _, line := range m.after {
			mesh.Kubectl(t, c, "", strings.Fields(line)...)
		}
		if len(m.after) > 0 && !strings.Contains(m.id, "gateway") && m.id != "pull-secrets" { // the platform's own
			obey(t, c, seenAlone(t, c, m.id, m.flags...).Findings[0].Fix)
		}
	}
}

// R55: a fix that was printed for a key that was missing leaves it as somebody wrote
// it since.
func TestClusterALateFixKeepsWhatCame(t *testing.T) {
	c := platform(t)
	patch := func(text string) {
		mesh.Kubectl(t, c, "", "-n", system, "patch", "secret", "kora-secrets", "--type=merge", "-p", text)
	}
	key := func() string {
		return mesh.Kubectl(t, c, "", "-n", system, "get", "secret", "kora-secrets", "-o", "jsonpath={.data.KORA_TRIGGERS_ENCRYPTION_KEY}")
	}
	was := key()
	patch(`{"data":{"KORA_TRIGGERS_ENCRYPTION_KEY":null}}`)
	fix := seenAlone(t, c, "platform-secret").Findings[0].Fix
	patch(`{"data":{"KORA_TRIGGERS_ENCRYPTION_KEY":"` + was + `"}}`)
	if obey(t, c, fix); key() != was || was == "" {
		t.Errorf("%s, and after %s: %s", was, fix, key())
	}
}

// R55: what an account may not read comes with the grant, which is enough.
func TestClusterGrantsAsPrinted(t *testing.T) {
	c := platform(t)
	mesh.Kubectl(t, c, "", "-n", system, "create", "serviceaccount", "guest")
	defer mesh.Kubectl(t, c, "", "-n", system, "delete", "serviceaccount", "guest")
	config, err := c.ConfigOf(t.Context(), system, "guest")
	if err != nil {
		t.Fatal(err)
	}
	s := Source{Place: kube.Place{Kubeconfig: c.Kubeconfig()}, Values: values.Input{Flags: []values.Flag{{Kind: values.Set, Text: "global.trustDomain=example.com"}, {Kind: values.Set, Text: "frontendHost=example.com"}}}, Namespace: system, NoServices: true}
	plan, found := s.Plan(t.Context(), time.Now)
	if found.Refused() {
		t.Fatalf("%+v", found)
	}
	for _, id := range []string{"system-namespace", "istio-running", "storage-class", "platform-secret", "frontend-secret"} {
		state := func() engine.Outcome {
			f, err := plan.look(t.Context(), config)
			if err != nil {
				t.Fatal(err)
			}
			plan.Settings.Account = account(t.Context(), config, f)
			for _, o := range engine.Judge(engine.Checks(), f, plan.Settings) {
				if o.ID == id {
					return o
				}
			}
			return engine.Outcome{}
		}
		o := state()
		if o.State != engine.Unchecked {
			t.Fatalf("%+v", o)
		}
		obey(t, c, o.Findings[0].Fix)
		obey(t, c, o.Findings[0].Fix) // what is there already is in nobody's way
		// The authorizer sees a new role in its own time.
		for end := time.Now().Add(20 * time.Second); o.State == engine.Unchecked && time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
			o = state()
		}
		if o.State == engine.Unchecked {
			t.Errorf("%+v", o)
		}
	}
}
