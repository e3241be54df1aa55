package releases

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/source"
)

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
