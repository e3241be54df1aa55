package release_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/helm"
	"github.com/runkora/kora/plugin/release"
	"github.com/runkora/kora/plugin/values"
)

// R20, R44: a null is refused where both Helms refuse it, and where it is taken it
// takes the same away: of the chart's own values, of earlier files, and by flags.
func TestNullsAreJudgedAsHelmDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Helm: left out by -short")
	}
	t.Parallel()
	const before = "agents:\n  nodeSelector: { a: b }\n  manifestPatches: { k: { target: { kind: StatefulSet }, patch: '[{ op: add, path: /spec/template/spec/nodeSelector, value: { disk: ssd } }]' } }\n"
	for name, c := range map[string]struct {
		text, flag string
		taken      bool
	}{
		"an unknown block":         {text: "netwrokPolicy:"},
		"an unknown key":           {text: "agents: { bogus: ~ }"},
		"an unknown flag":          {flag: "bogus=null"},
		"a key of a map":           {text: "agents: { nodeSelector: { e: ~ } }"},
		"a key of an earlier file": {text: "agents: { nodeSelector: { a: ~ } }"},
		"a label":                  {text: "agents: { workloads: { common: { podLabels: { a: ~ } } } }"},
		"a module":                 {text: "agents: { configOverrides: { internal/agents: } }"},
		"a setting of one":         {text: "agents: { configOverrides: { internal/agents: { port: ~ } } }"},
		"a patch":                  {text: "agents: { manifestPatches: { k: ~ } }", taken: true},
		"a patch by a flag":        {flag: "agents.manifestPatches.k=null", taken: true},
		"a map of the chart":       {text: "agents: { nodeSelector: ~ }", taken: true},
		"a key of the chart":       {text: "agents: { resources: { requests: { cpu: ~ } } }", taken: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			write(t, folder, "a.yaml", before)
			write(t, folder, "b.yaml", c.text+"\n")
			in := inputOf("releases/kora")
			in.Files = append(in.Files, filepath.Join(folder, "a.yaml"), filepath.Join(folder, "b.yaml"))
			if c.flag != "" {
				in.Flags = append(in.Flags, values.Flag{Kind: values.Set, Text: c.flag})
			}
			out := release.Render(t.Context(), release.Request{Values: in})
			if out.Found.Refused() == c.taken {
				t.Fatalf("%s", told(out.Found))
			}
			for _, version := range []string{"helm-3", "helm-4"} {
				if c.taken {
					if diff := cmp.Diff(sorted(helm.Objects(t, template(t, version, "../../charts/kora", in))), sorted(helm.Objects(t, printed(t, out)))); diff != "" {
						t.Errorf("(-%s +kora):\n%s", version, diff)
					}
					continue
				}
				tool, err := testcluster.Tool(t.Context(), version)
				if err != nil {
					t.Fatal(err)
				}
				words, err := exec.CommandContext(t.Context(), filepath.Join(tool, "helm"), append([]string{"template", "kora", "../../charts/kora"}, flagsOf(in)...)...).CombinedOutput()
				if err == nil {
					t.Errorf("%s takes it: %.200s", version, words)
				}
			}
		})
	}
}
