package main

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora"
)

// Fixed names: one VERSION file says the version of the binary and of the
// plugin's manifest; and one manifest serves Helm 3 and Helm 4, which refuse
// an apiVersion, a bare command or a downloader in it.
func TestPluginManifestIsOneForBothHelms(t *testing.T) {
	text, err := os.ReadFile("../plugin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var manifest map[string]any
	if err := yaml.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest["name"] != "kora" || manifest["version"] != kora.Version() {
		t.Errorf("%v %v, want kora %s", manifest["name"], manifest["version"], kora.Version())
	}
	for _, key := range []string{"apiVersion", "command", "downloaders"} {
		if _, there := manifest[key]; there {
			t.Errorf("%s is there: not every Helm takes it", key)
		}
	}
	commands, _ := manifest["platformCommand"].([]any)
	if len(commands) != 3 {
		t.Errorf("%d platform commands", len(commands))
	}
}
