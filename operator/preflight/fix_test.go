package preflight

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/operator/preflight/facts"
)

// evil is a name that would run a command wherever the shell reads it.
const evil = "a;touch x;$(touch x)`touch x`'\"&&touch x|touch x\ntouch x\n#"

// shell runs fixes where every program is a stand-in that succeeds, and touch
// one that leaves a mark.
type shell struct{ dir, mark string }

func newShell(t *testing.T) shell {
	t.Helper()
	s := shell{dir: t.TempDir()}
	s.mark = filepath.Join(s.dir, "mark")
	if err := os.Mkdir(filepath.Join(s.dir, "eA=="), 0o700); err != nil { // what mktemp says here
		t.Fatal(err)
	}
	for _, program := range []string{"kubectl", "helm", "kora", "openssl", "psql", "redis-cli", "nc", "base64", "mktemp", "tr", "cat", "grep", "touch"} {
		text := "#!/bin/sh\necho eA==\n"
		if program == "touch" {
			text = "#!/bin/sh\n: > '" + s.mark + "'\n"
		}
		if err := os.WriteFile(filepath.Join(s.dir, program), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run holds a fix to what it has to be: YAML, or a line that runs as it stands
// and starts nothing else.
func (s shell) run(t *testing.T, fix string) {
	t.Helper()
	if placeholder.MatchString(fix) {
		t.Errorf("%q asks the reader to fill something in", fix)
	}
	if strings.Contains(fix, "# in the values of ") {
		var tree map[string]any
		if err := yaml.Unmarshal([]byte(fix), &tree); err != nil || len(tree) != 1 {
			t.Errorf("%q is no YAML: %v", fix, err)
		}
		return
	}
	cmd := exec.Command("/bin/sh", "-c", fix)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + s.dir, "DB_PASSWORD=x", "REDIS_PASSWORD=x", "CA_FILE=x", "REGISTRY=x", "REGISTRY_USER=x", "REGISTRY_PASSWORD=x", "ADMIN_KUBECONFIG=x"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%q does not run: %v: %s", fix, err, out)
	}
	if os.Remove(s.mark) == nil {
		t.Errorf("%q runs what a name says", fix)
	}
}

var placeholder = regexp.MustCompile(`…|<[a-z]|\bNAME\b|\bFILE\b`)

// R55: every fix is a command that runs as it is printed, or YAML.
func TestEveryFixRuns(t *testing.T) {
	s, n := newShell(t), 0
	for _, w := range append(wrongs(t), unread()...) {
		f, settings := goodFacts(t), goodSettings()
		w.spoil(f, &settings)
		n += s.fixes(t, f, settings)
	}
	if n < 60 {
		t.Errorf("only %d fixes were printed", n)
	}
}

func (s shell) fixes(t *testing.T, f *facts.Facts, settings Settings) (n int) {
	t.Helper()
	for _, o := range Judge(Checks(), f, settings) {
		for _, x := range o.Findings {
			if x.Fix == "" {
				t.Errorf("%s: %+v has no fix", o.ID, x)
			}
			n++
			s.run(t, x.Fix)
		}
	}
	return n
}

// R55, security: a name of the values, of the cluster or of a bundle is one word
// of a fix, whatever stands in it.
func TestANameRunsNothing(t *testing.T) {
	s := newShell(t)
	for _, w := range append(wrongs(t), unread()...) {
		f, settings := goodFacts(t), goodSettings()
		w.spoil(f, &settings)
		poison(f, &settings)
		s.fixes(t, f, settings)
	}
	f, settings := goodFacts(t), goodSettings()
	poison(f, &settings)
	settings.Revision = evil
	f.Namespaces = facts.Known(map[string]facts.Namespace{})
	s.fixes(t, f, settings)
}

// poison gives everything that has a name a bad one.
func poison(f *facts.Facts, s *Settings) {
	const system = evil + "-system"
	namespaces, secrets := map[string]facts.Namespace{}, map[string]facts.Part[*facts.Secret]{}
	for _, n := range f.Namespaces.Value {
		namespaces[system] = n
	}
	for name, secret := range f.Secrets {
		_, base, _ := strings.Cut(name, "/")
		if secret.Value != nil {
			secret.Value.Type += evil
		}
		secrets[system+"/"+base+evil] = secret
	}
	f.Namespaces.Value, f.Secrets = namespaces, secrets
	for _, name := range []*string{&s.PlatformSecret, &s.FrontendSecret, &s.RedisCA, &s.Certificate, &s.PullSecrets[0], &s.Database.Host, &s.Database.Database, &s.Database.User,
		&s.Database.TLS, &s.Redis.Host, &s.TrustDomain, &s.FrontendHost, &s.SpireClass, &s.SandboxMount.Namespace, &s.StorageClass} {
		*name += evil
	}
	s.Namespace = system
	for i := range f.Nodes.Value {
		f.Nodes.Value[i].Name = evil + f.Nodes.Value[i].Name
	}
	for i := range f.DaemonSets.Value {
		f.DaemonSets.Value[i].Namespace, f.DaemonSets.Value[i].Name = evil, evil
	}
	for i := range f.Revisions.Value {
		f.Revisions.Value[i].Namespace = evil
	}
	for i := range f.Injectors.Value {
		f.Injectors.Value[i].Config, f.Injectors.Value[i].Webhook = evil+f.Injectors.Value[i].Config, evil
	}
	for i := range f.StorageClasses.Value {
		f.StorageClasses.Value[i].Name = evil
	}
	for i := range f.Spire.IDs.Value {
		f.Spire.IDs.Value[i].Name, f.Spire.IDs.Value[i].Class, f.Spire.IDs.Value[i].Fallback = evil, s.SpireClass, false
	}
	for i := range f.Release.Value {
		f.Release.Value[i].Object = "Deployment " + evil + "/" + evil
		f.Release.Value[i].Owner = &facts.Owner{ManagedBy: evil}
	}
	f.Asked = s.Asked()
}

// unread are parts that could not be read, each for another reason.
func unread() []wrong {
	user := `User "system:serviceaccount:` + evil + `:x" cannot `
	part := func(name string, spoil func(*facts.Facts)) wrong { return wrong{name: name, spoil: spoiled(spoil)} }
	return []wrong{
		part("nothing", func(f *facts.Facts) { *f = *facts.Nothing("the file does not hold it"); f.Secrets = nil }),
		part("a right", func(f *facts.Facts) {
			f.Nodes = facts.Unknown[[]facts.Node](`nodes is forbidden: ` + user + `list resource "nodes" in API group "" at the cluster scope`)
			f.DaemonSets = facts.Unknown[[]facts.DaemonSet](`daemonsets.apps is forbidden: ` + user + `list resource "daemonsets" in API group "apps" at the cluster scope`)
			f.Secrets["kora-system/kora-secrets"] = facts.Unknown[*facts.Secret](`secrets "` + evil + `" is forbidden: ` + user + `get resource "secrets" in API group "" in the namespace "kora-system"`)
		}),
		part("an account", func(f *facts.Facts) { f.Kubernetes = facts.Unknown[string]("the cluster does not know this account") }),
		part("an owner", func(f *facts.Facts) { f.Release.Value[0].Unread = "the API server did not answer in time" }),
		part("refusals", func(f *facts.Facts) {
			for _, text := range refusals() {
				f.Release.Value = append(f.Release.Value, facts.Answer{Object: "ConfigMap kora-system/x", Refused: text})
			}
		}),
		part("other values", func(f *facts.Facts) { f.Asked = nil }),
	}
}

// refusals are what an API server says, each of another kind.
func refusals() map[string]string {
	return map[string]string{
		"policy":     `services "kora-frontend" is forbidden: ValidatingAdmissionPolicy 'no-lb' with binding 'no-lb' denied request: no load balancers`,
		"webhook":    `admission webhook "validate.kyverno.svc" denied the request: no`,
		"quota":      `services "x" is forbidden: exceeded quota: small, requested: services=1, used: services=0, limited: services=0`,
		"unset":      `pods "x" is forbidden: failed quota: small, which takes no pod without the requests or limits that it counts`,
		"ending":     `services "x" is forbidden: namespace "leaving" is being deleted`,
		"limit":      `pods "x" is forbidden: a LimitRange: maximum memory per Container is 64Mi`,
		"level":      `pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged`,
		"istio":      `no matches for kind "Gateway" in version "networking.istio.io/v1"`,
		"spire":      `no matches for kind "ClusterSPIFFEID" in version "spire.spiffe.io/v1alpha1"`,
		"ours":       `no matches for kind "KoraTenant" in version "runkora.io/v1alpha1"`,
		"others":     `no matches for kind "X" in version "example.com/v1"`,
		"escalation": `clusterroles.rbac.authorization.k8s.io "x" is forbidden: user "jane" (groups=["a"]) is attempting to grant RBAC permissions not currently held:`,
		"right":      `services is forbidden: User "jane" cannot create resource "services" in API group "" in the namespace "kora-system"`,
		"invalid":    `Service "x" is invalid: spec.ports: Required value`,
	}
}

// R55: a refusal has the way out of its own reason: no right of an account goes
// around a policy.
func TestARefusalHasItsOwnWayOut(t *testing.T) {
	said := refusals()
	v := &verdict{Settings: goodSettings(), id: "release", facts: goodFacts(t)}
	for kind, want := range map[string]string{
		"policy": "kubectl get validatingadmissionpolicy no-lb -o yaml", "webhook": "'name: validate.kyverno.svc'", "quota": "kubectl -n kora-system edit resourcequota small",
		"unset": "edit resourcequota small", "ending": "kubectl get namespace leaving -o yaml", "limit": "kubectl -n kora-system get limitranges -o yaml",
		"level": "kubectl get namespace kora-system --show-labels", "istio": "helm upgrade --install istio-base", "spire": "helm upgrade --install spire-crds", "ours": "oci://ghcr.io/runkora/charts/kora-crds",
		"others": "--api-group=example.com", "escalation": "--clusterrole=cluster-admin --user=jane", "right": "kubectl create role kora-preflight-create-services --verb=create --resource=services -n kora-system",
		"invalid": "kora render -f kora.yaml --namespace kora-system",
	} {
		if fix := v.refusalFix(facts.Answer{Object: "Service kora-system/x", Refused: said[kind]}); !strings.Contains(fix, want) {
			t.Errorf("%s: %q, want %q", kind, fix, want)
		}
	}
}
