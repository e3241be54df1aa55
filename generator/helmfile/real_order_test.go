//go:build helmfile

package helmfile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/generator/releases"
)

// calls runs helmfile sync with the stubs, and gives what they wrote down.
func calls(t *testing.T, pins releases.Pins, facts, theme string, env ...string) [][]string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, dir := filepath.Join(t.TempDir(), "record"), folder(t, pins, facts)
	if theme != "" {
		if err := os.WriteFile(filepath.Join(dir, "values", "theme.yaml"), []byte(theme), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, links(t, map[string]string{"helm": self, "kubectl": self}), append(env, recordEnv+"="+file), "-e", "test", "sync")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(text)) {
		var call []string
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Fatal(err)
		}
		out = append(out, call)
	}
	return out
}

// upgrade is the place of the call that installs a release.
func upgrade(all [][]string, name string) int {
	return slices.IndexFunc(all, func(c []string) bool {
		return c[0] == "helm" && slices.Contains(c, "upgrade") && slices.Contains(c, "--install") && slices.Contains(c, name)
	})
}

// R39: the real Helmfile installs each release after what it needs, waits for
// it, and has the namespace made and labelled before.
func TestRealHelmfileKeepsTheOrder(t *testing.T) {
	all := calls(t, releases.Pins{Version: "1.4.0"}, least+"theme: theme.yaml\n", "koraVersion: \"1.4.0\"\n")
	g, err := releases.Reference(releases.Pins{Version: "1.4.0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range g.Releases {
		at := upgrade(all, r.Name)
		if at < 0 || !slices.Contains(all[at], "--wait") {
			t.Fatalf("%s is not installed, or not waited for: %q", r.Name, all)
		}
		for _, need := range r.Needs {
			if upgrade(all, need) > at {
				t.Errorf("%s is installed before %s", r.Name, need)
			}
		}
		namespace := strings.ReplaceAll(r.Namespace, releases.SystemNamespace, "kora-system")
		labelled := slices.IndexFunc(all, func(c []string) bool {
			return c[0] == "kubectl" && slices.Contains(c, "label") && slices.Contains(c, namespace)
		})
		if labelled < 0 || labelled > at {
			t.Errorf("the namespace of %s is not labelled before it", r.Name)
		}
	}
	kora := all[upgrade(all, "kora")]
	if i := slices.Index(kora, "--set-file"); i < 0 || !strings.HasSuffix(kora[i+1], "values/theme.yaml") {
		t.Errorf("the theme: %q", kora)
	}
}

// R38: with a lock kora's charts are pulled by digest.
func TestRealHelmfilePullsByDigest(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	all := calls(t, releases.Pins{Version: "1.4.0", Digests: map[string]string{"kora": digest, "kora-crds": digest}}, least, "")
	for _, chart := range []string{"kora", "kora-crds"} {
		if !slices.ContainsFunc(all, func(c []string) bool {
			return slices.Contains(c, "pull") && slices.Contains(c, "oci://ghcr.io/runkora/charts/"+chart+"@"+digest)
		}) {
			t.Errorf("%s is not pulled by its digest: %q", chart, all)
		}
	}
}
