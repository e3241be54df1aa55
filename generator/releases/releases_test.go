package releases

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/verify/lock"
)

func reference(t *testing.T) *Graph {
	t.Helper()
	g, err := Reference(Pins{Version: "1.4.0"})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// R38: the versions that the reference install pins.
func TestPins(t *testing.T) {
	got := map[string]string{}
	for _, r := range reference(t).Releases {
		got[r.Name] = r.Chart + " " + r.Version
	}
	want := map[string]string{
		"spire-crds": "spire-crds 0.6.1", "spire": "spire 0.30.2",
		"istio-base": "base 1.31.1", "istio-cni": "cni 1.31.1", "istiod": "istiod 1.31.1",
		"kora-crds": "kora-crds 1.4.0", "kora": "kora 1.4.0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// R38, R39: the waves of the reference install.
func TestWavesOfTheReference(t *testing.T) {
	want := [][]string{{"spire-crds", "istio-base", "kora-crds"}, {"spire", "istio-cni"}, {"istiod"}, {"kora"}}
	if diff := cmp.Diff(want, reference(t).InWaves()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// R38: in any graph a release's wave is the longest path of needs, counted here
// by walking every path, and it stands behind all that it needs.
func TestWaveIsTheLongestPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + rng.IntN(9)
		all := make([]Release, n)
		for i := range all {
			all[i].Name = fmt.Sprint("r", i)
			for j := range i {
				if rng.IntN(3) == 0 {
					all[i].Needs = append(all[i].Needs, fmt.Sprint("r", j))
				}
			}
		}
		rng.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
		g, err := New(all)
		if err != nil {
			t.Fatal(err)
		}
		place := map[string]int{}
		for i, r := range g.Releases {
			place[r.Name] = i
			if got, want := g.Wave(r.Name), longest(g, r.Name); got != want {
				t.Fatalf("%s is in wave %d, want %d", r.Name, got, want)
			}
			for _, need := range r.Needs {
				if p, ok := place[need]; !ok || p >= i {
					t.Fatalf("%s stands before %s, which it needs", r.Name, need)
				}
			}
		}
	}
}

func longest(g *Graph, name string) int {
	best := 0
	for _, need := range g.Release(name).Needs {
		best = max(best, 1+longest(g, need))
	}
	return best
}

// R38: what has no order is refused, and the words say where.
func TestGraphWithoutOrderIsRefused(t *testing.T) {
	for says, all := range map[string][]Release{
		"a -> b -> c -> a": {{Name: "a", Needs: []string{"b"}}, {Name: "b", Needs: []string{"c"}}, {Name: "c", Needs: []string{"a"}}},
		"a -> a":           {{Name: "a", Needs: []string{"a"}}},
		"needs nothing":    {{Name: "a", Needs: []string{"nothing"}}},
		"are called a":     {{Name: "a"}, {Name: "a"}},
	} {
		if _, err := New(all); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got %v", says, err)
		}
	}
}

// rendered is the values of a release in an environment.
func rendered(t *testing.T, text, name string) map[string]any {
	t.Helper()
	env, found := environment.Read(source.NewFile("e.yaml", text))
	if found.Refused() {
		t.Fatal(found)
	}
	tpl, err := Template(name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := env.NewRenderer().Render(name, tpl)
	if err != nil {
		t.Fatal(err)
	}
	var values map[string]any
	if err := yaml.UnmarshalStrict([]byte(out), &values); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return values
}

func at(v any, path string) any {
	for key := range strings.SplitSeq(path, "/") {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

const facts = "trustDomain: td.example.com\nfrontendHost: kora.example.com\n"

// R42: every "must provide" of deploying-kora, in its order: SPIRE, then Istio.
func TestValuesProvideWhatKoraNeeds(t *testing.T) {
	everywhere := []any{map[string]any{"operator": "Exists"}}
	for _, c := range []struct {
		file, path string
		want       any
	}{
		{"spire.yaml.gotmpl", "global/spire/trustDomain", "td.example.com"},
		{"spire.yaml.gotmpl", "spiffe-csi-driver/enabled", true},
		{"spire.yaml.gotmpl", "spiffe-csi-driver/pluginName", "csi.spiffe.io"},
		{"spire.yaml.gotmpl", "spire-server/controllerManager/enabled", true},
		{"spire.yaml.gotmpl", "spire-server/controllerManager/identities/clusterSPIFFEIDs/default/fallback", true},
		{"spire.yaml.gotmpl", "spire-agent/sds/enabled", true},
		{"spire.yaml.gotmpl", "spire-agent/sds/defaultSVIDName", "default"},
		{"spire.yaml.gotmpl", "spire-agent/sds/defaultBundleName", "ROOTCA"},
		{"spire.yaml.gotmpl", "spire-agent/sds/defaultAllBundlesName", "ALL"},
		{"spire.yaml.gotmpl", "spire-agent/tolerations", everywhere},
		{"spire.yaml.gotmpl", "spiffe-csi-driver/tolerations", everywhere},
		{"spire.yaml.gotmpl", "spire-server/controllerManager/className", "spire-system-spire"},
		{"istiod.yaml.gotmpl", "meshConfig/trustDomain", "td.example.com"},
		{"istiod.yaml.gotmpl", "meshConfig/outboundTrafficPolicy/mode", "ALLOW_ANY"},
		{"istiod.yaml.gotmpl", "pilot/cni/enabled", true},
		{"istio-cni.yaml.gotmpl", "tolerations", everywhere},
		{"kora.facts.yaml.gotmpl", "global/trustDomain", "td.example.com"},
		{"kora.facts.yaml.gotmpl", "spire/className", "spire-system-spire"},
	} {
		if diff := cmp.Diff(c.want, at(rendered(t, facts, c.file), c.path)); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.file, c.path, diff)
		}
	}
}

// R39: what an environment leaves out is not in the facts, so that kora.yaml's
// word stands; what it says is.
func TestFactsHoldOnlyWhatTheEnvironmentSays(t *testing.T) {
	few := rendered(t, facts, "kora.facts.yaml.gotmpl")
	want := map[string]any{
		"global": map[string]any{"trustDomain": "td.example.com"}, "frontendHost": "kora.example.com",
		"spire": map[string]any{"className": "spire-system-spire"},
		"agents": map[string]any{"workloads": map[string]any{
			"sandbox": map[string]any{"nodeSelector": map[string]any{}}, "sessionManager": map[string]any{"nodeSelector": map[string]any{}},
		}},
	}
	if diff := cmp.Diff(want, few); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	many := rendered(t, facts+`imageRegistry: registry.example.com/kora
imagePullSecrets: [pull]
istio: { revision: r1, outboundTrafficPolicy: REGISTRY_ONLY }
workspace: { storageClassName: shared, accessModes: [ReadWriteMany], size: 20Gi }
nodePools: { sandbox: { nodeSelector: { a: b }, tolerations: [{ key: k, operator: Exists }] } }
`, "kora.facts.yaml.gotmpl")
	for path, want := range map[string]any{
		"global/imageRegistry": "registry.example.com/kora", "global/imagePullSecrets": []any{"pull"},
		"istio/revision": "r1", "istio/outboundTrafficPolicy": "REGISTRY_ONLY",
		"agents/workspace/storageClassName": "shared", "agents/workspace/accessModes": []any{"ReadWriteMany"}, "agents/workspace/size": "20Gi",
		"agents/workloads/sandbox/nodeSelector/a": "b",
		"agents/workloads/sandbox/tolerations":    []any{map[string]any{"key": "k", "operator": "Exists"}},
	} {
		if diff := cmp.Diff(want, at(many, path)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// Every template is YAML in environments that set everything and nothing.
func TestEveryTemplateIsYAMLInEveryEnvironment(t *testing.T) {
	full := facts + `spire: { storageClassName: fast, imageRegistry: registry.example.com }
istio: { revision: r1, platform: gke, imageHub: registry.example.com/istio, cni: { binDir: /home/bin, confDir: /etc/net } }
`
	for _, r := range reference(t).Releases {
		if r.Values == "" {
			continue
		}
		for _, text := range []string{facts, full} {
			rendered(t, text, r.Values)
		}
	}
	cni := rendered(t, full, "istio-cni.yaml.gotmpl")
	if at(cni, "cniBinDir") != "/home/bin" || at(cni, "global/platform") != "gke" || at(cni, "global/hub") != "registry.example.com/istio" {
		t.Errorf("%v", cni)
	}
}

// R38: digests of a lock pin both charts or none, wherever they were verified.
func TestLockPinsBothCharts(t *testing.T) {
	digest := func(c string) string { return "sha256:" + strings.Repeat(c, 64) }
	signer := []lock.Signer{{Identity: "i", Issuer: "s"}}
	crds := lock.Artifact{Ref: "ghcr.io/runkora/charts/kora-crds:1.4.0", Kind: lock.Chart, Digest: digest("a"), Signers: signer}
	kora := lock.Artifact{Ref: "mirror.example.com:5000/kora:1.4.0", Kind: lock.Chart, Digest: digest("b"), Signers: signer}
	image := lock.Artifact{Ref: "ghcr.io/runkora/kora:1.4.0", Kind: lock.Image, Digest: digest("c"), Signers: signer}

	pins, found := Locked(lock.New(crds, kora, image), "kora.lock", "1.4.0")
	if found.Refused() || pins.Digests["kora"] != digest("b") || pins.Digests["kora-crds"] != digest("a") {
		t.Errorf("%v %v", pins, found)
	}
	for _, l := range []*lock.Lock{lock.New(kora), lock.New(crds, image), lock.New()} {
		if _, found := Locked(l, "kora.lock", "1.4.0"); !found.Refused() {
			t.Errorf("half a lock is taken: %+v", l)
		}
	}
	if _, found := Locked(lock.New(crds, kora), "kora.lock", "1.4.1"); len(found) != 2 {
		t.Errorf("the lock of another version: %v", found)
	}
}

// R38: the plan names every release, and every need as an edge.
func TestPlanShowsTheGraph(t *testing.T) {
	g := reference(t)
	table, mermaid := g.Table(), g.Mermaid()
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if len(lines) != len(g.Releases)+1 {
		t.Errorf("%d lines:\n%s", len(lines), table)
	}
	for _, r := range g.Releases {
		if !slices.ContainsFunc(lines, func(l string) bool {
			return strings.HasPrefix(l, fmt.Sprint(g.Wave(r.Name))) && strings.Contains(l, " "+r.Name+" ")
		}) {
			t.Errorf("no line of %s:\n%s", r.Name, table)
		}
		for _, need := range r.Needs {
			if !strings.Contains(mermaid, "  "+need+" --> "+r.Name+"\n") {
				t.Errorf("no edge from %s to %s", need, r.Name)
			}
		}
	}
}
