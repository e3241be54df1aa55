//go:build helmfile

package helmfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/generator/releases"
)

// R15, R39: the real Helmfile stops before it calls anything where facts are
// wrong, and tells all of them, of every kind, the null that would hide a default
// and the repository that cannot serve a locked chart included.
func TestRealHelmfileStopsAWrongEnvironment(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	digest := "sha256:" + strings.Repeat("a", 64)
	pins := releases.Pins{Version: "1.4.0", Digests: map[string]string{"kora": digest, "kora-crds": digest}}
	for name, c := range map[string]struct {
		facts string
		gone  string
		says  []string
	}{
		"every kind": {`trustDomain: 5
frontendHost: https://kora.example.com
clusterNme: a
clusterName: null
systemNamespace: 2024-01-01
imagePullSecrets: [a, "{{ b }}", 5]
theme: ../theme.yaml
workspace: { size: 0Gi, accessModes: [ReadWriteMay] }
nodePools: { sandbox: { nodeSelector: { a: 1 }, tolerations: [{ kye: a }, { effect: Never }, { tolerationSeconds: soon }] }, sessionManager: null }
spire: []
charts: { kora: https://mirror.example.com/kora }
argocd: { automated: sometimes, retry: { limit: -2 }, syncOptions: nothing }
`, "", []string{
			"trustDomain must be", "frontendHost must be", "unknown field clusterNme", "clusterName must be", "systemNamespace must be", "imagePullSecrets[1] must be", "imagePullSecrets[2] must be", "theme must be",
			"workspace.size must be", "workspace.accessModes[0] must be", "nodePools.sandbox.nodeSelector.a must be a text", "unknown field nodePools.sandbox.tolerations[0].kye", "nodePools.sandbox.tolerations[1].effect must be one of",
			"nodePools.sandbox.tolerations[2].tolerationSeconds must be a whole number", "nodePools.sessionManager must be a map", "spire must be a map", "charts.kora must be an oci:// URL: the chart kora is locked", "charts.kora must be an oci:// URL: the chart kora-crds is locked",
			"argocd.automated must be true or false", "argocd.retry.limit must be", "argocd.syncOptions must be a list",
		}},
		"no file of facts at all": {"", "", []string{"trustDomain must be", "frontendHost must be"}},
		"no theme, no values": {least + "theme: theme.yaml\n", "values/kora.yaml", []string{
			"theme must be a file that is there: values/theme.yaml", "values/kora.yaml must be a file that is there: the release kora reads it",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			record, dir := filepath.Join(t.TempDir(), "record"), folder(t, pins, c.facts)
			if c.gone != "" {
				if err := os.Remove(filepath.Join(dir, c.gone)); err != nil {
					t.Fatal(err)
				}
			}
			out, err := try(t, dir, links(t, map[string]string{"helm": self, "kubectl": self}), []string{recordEnv + "=" + record}, "-e", "test", "sync")
			if err == nil {
				t.Fatalf("it goes on:\n%s", out)
			}
			for _, says := range c.says {
				if !strings.Contains(out, "\n  "+says) {
					t.Errorf("it does not say %q", says)
				}
			}
			calls, _ := os.ReadFile(record)
			if text := string(calls); strings.Contains(text, "upgrade") || strings.Contains(text, "kubectl") {
				t.Errorf("something is installed: %s", text)
			}
			if t.Failed() {
				t.Log(out)
			}
		})
	}
}
