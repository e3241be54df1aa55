package charts

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/internal/testcluster"
	"sigs.k8s.io/yaml"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// helms are the versions that a chart of kora works with, as tools/testcluster names them.
var helms = []string{"helm-3", "helm-4"}

// helm gives a function that runs one version of Helm and returns what it prints.
func helm(t *testing.T, version, kubeconfig string) func(args ...string) (string, error) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds Helm: left out by -short")
	}
	folder, err := testcluster.Tool(t.Context(), version)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	return func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "helm"), args...)
		// Nothing of the person who runs the tests: neither a cluster nor plugins.
		cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HOME="+home,
			"HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home, "HELM_PLUGINS="+home)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}

// R19, R20: both Helms find no fault, strictly, and none of the other's values.
func TestLint(t *testing.T) {
	for _, version := range helms {
		t.Run(version, func(t *testing.T) {
			run := helm(t, version, os.DevNull)
			if out, err := run("lint", "--strict", CRDs); err != nil || strings.Contains(out, "WARNING") {
				t.Errorf("%v\n%s", err, out)
			}
			if out, err := run("lint", "--strict", CRDs, "--set", "keep=false"); err == nil || !strings.Contains(out, "keep") {
				t.Errorf("a value that there is not: %v\n%s", err, out)
			}
			if out, err := run("lint", "--strict", CRDs, "--set", "global.trustDomain=example.com"); err != nil {
				t.Errorf("values shared with kora: %v\n%s", err, out)
			}
		})
	}
}

// R19: what both Helms render is the files, to the field.
func TestTemplateGivesTheDefinitions(t *testing.T) {
	definitions, err := CustomResources()
	if err != nil {
		t.Fatal(err)
	}
	want := objects(t, definitions)
	for _, version := range helms {
		t.Run(version, func(t *testing.T) {
			out, err := helm(t, version, os.DevNull)("template", "kora-crds", CRDs, "--kube-version", "1.34.0")
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			var texts [][]byte
			for each := range strings.SplitSeq("\n"+out, "\n---\n") {
				if strings.TrimSpace(each) != "" {
					texts = append(texts, []byte(each))
				}
			}
			if diff := cmp.Diff(want, objects(t, texts)); diff != "" {
				t.Errorf("(-files +rendered):\n%s", diff)
			}
		})
	}
}

// R19: a cluster that is too old is told so.
func TestOldKubernetesIsRefused(t *testing.T) {
	for _, version := range helms {
		t.Run(version, func(t *testing.T) {
			out, err := helm(t, version, os.DevNull)("template", "kora-crds", CRDs, "--kube-version", "1.33.9")
			if err == nil || !strings.Contains(out, ">=1.34.0-0") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// objects reads YAML documents, ordered by name.
func objects(t *testing.T, texts [][]byte) []map[string]any {
	t.Helper()
	var all []map[string]any
	for _, text := range texts {
		var o map[string]any
		if err := yaml.UnmarshalStrict(text, &o); err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	name := func(o map[string]any) string { return o["metadata"].(map[string]any)["name"].(string) }
	slices.SortFunc(all, func(a, b map[string]any) int { return strings.Compare(name(a), name(b)) })
	return all
}
