package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/plugin/values"
)

// R2, R23: the preview of an agent type has what configOverrides set of the module
// that kora-agents reads, and explains it by its own path.
func TestPreviewHasWhatConfigOverridesSet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kora.yaml")
	err := os.WriteFile(file, []byte(`agents:
  workspace: { size: 20Gi }
  configOverrides:
    internal/agents:
      workspace: { size: 77Gi }
      images: { sessionManager: "example.com/sm:9" }
      workloads: { common: { nodeSelector: { disk: ssd } } }
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	p := Agent(Request{Version: "1.4.0", Agent: values.Agent{Slug: "coder", Namespace: "tenant-example"}, Values: values.Input{Files: []string{file}}})
	if len(p.Found) > 0 {
		t.Fatal(p.Found)
	}
	text, err := YAML(p.Objects)
	if err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{"storage: 77Gi": 2, "image: example.com/sm:9": 1, "disk: ssd": 2, "20Gi": 0} {
		if got := strings.Count(string(text), want); got != times {
			t.Errorf("%q stands there %d times", want, got)
		}
	}
	causes, err := p.Explain()
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, c := range causes.Fields {
		for _, s := range c.Steps {
			told[s.Name] = true
		}
	}
	if !told[`agents.configOverrides["internal/agents"].workspace.size`] || told["agents.workspace.size"] {
		t.Errorf("%v", told)
	}
}
