package rules

import (
	"fmt"
	"os"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R2, R20, R21: what a release is refused for of the values that agent types are made
// of, a preview is refused for, in the same words at the same place.
func TestPreviewIsHeldToWhatTheReleaseIs(t *testing.T) {
	own := embedded(t)
	at, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	// Whose namespace it is, and which port a node has free, the release alone asks.
	release := map[string]bool{"global.systemNamespace": true, "sandboxMount.port": true}
	same := func(name string, all, agents faults.List) int {
		count, told := 0, map[string]bool{}
		for _, f := range agents {
			told[fmt.Sprint(f)] = true
		}
		for _, f := range all {
			if ofAgents(f) && f.Key == "" && f.Severity == faults.Error && f.Code != faults.SplitPlacement && f.Code != faults.Contradiction {
				if count++; !told[fmt.Sprint(f)] && !release[f.Field] {
					t.Errorf("%s: a preview does not say\n%s\nbut\n%s", name, report(t, faults.List{f}), report(t, agents))
				}
			}
		}
		return count
	}
	count := 0
	for _, c := range corpus(t) {
		tree, _ := c.load(t)
		agents, err := CheckAgent(tree)
		if err != nil {
			t.Fatal(err)
		}
		count += same(c.path, Check(tree, own), agents)
		t.Chdir(at)
	}
	if count < 40 {
		t.Errorf("%d faults", count)
	}
	for _, text := range []string{
		"agents: { config: { sandboxImage: kora-sandbox-base } }",
		"agents: { config: { sandboxImage: 'ghcr.io/Kora/base:1' } }",
		"agents: { config: { sessionManagerImage: 'ghcr.io/kora/sm:' } }",
		"agents: { sandboxImages: { bundled: { go: { image: 'ghcr.io/kora/go' } } } }",
		"agents: { sandboxImages: { registryMirrors: { ghcr.io: 'ftp://x' } } }",
		"agents: { sandboxImages: { registryPorts: [0] } }",
		"agents: { configOverrides: { internal/agents: { images: { sandbox: base } } } }",
		"global: { imageRegistry: Ghcr.io/Kora }",
		"global: { imageRegistry: 'ghcr.io:99999/kora' }",
		"global: { imagePullSecrets: [{}] }",
		"global: { logFormat: yaml }",
		"sandboxMount: { port: 0 }",
	} {
		tree := read(t, text)
		agents, err := CheckAgent(tree)
		if err != nil || !agents.Refused() || same(text, Check(tree, own), agents) == 0 {
			t.Errorf("%s: %v\n%s", text, err, report(t, agents))
		}
	}
	for _, text := range []string{"{}", "frontend: { replicas: many }", "agents: { replicas: many }", "agents: { config: { sandboxImage: 'ghcr.io/kora/base:1' } }"} {
		if found, err := CheckAgent(read(t, text)); err != nil || len(found) > 0 {
			t.Errorf("%s: %v\n%s", text, err, report(t, found))
		}
	}
}
