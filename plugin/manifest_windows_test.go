package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// platformCommand is what Helm runs on one platform, as the format has it.
type platformCommand struct {
	OS      string   `json:"os"`
	Arch    string   `json:"arch"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// R43, fixed names: every platform that is packed has its command and each of the
// hooks; that Helm's own loaders take the manifest is seen by installing it. Helm 4, which the tests of the
// installation run on this platform, ends an installation with an error where a hook
// is there and none for its platform. A path is Windows' own there, and no shell of
// another system's is named.
func TestEveryPlatformHasItsCommandAndItsHooks(t *testing.T) {
	text, err := os.ReadFile("../plugin.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		PlatformCommand []platformCommand            `json:"platformCommand"`
		PlatformHooks   map[string][]platformCommand `json:"platformHooks"`
	}
	if err := yaml.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	lists := map[string][]platformCommand{"platformCommand": m.PlatformCommand}
	for event, hooks := range m.PlatformHooks {
		lists["the hook "+event] = hooks
	}
	if len(lists) != 3 {
		t.Errorf("%d lists", len(lists))
	}
	for name, commands := range lists {
		for _, system := range []string{"linux", "darwin", "windows"} {
			of := func(c platformCommand) bool { return c.OS == system && c.Arch == "" }
			at := slices.IndexFunc(commands, of)
			if at < 0 {
				t.Errorf("%s has nothing for %s", name, system)
				continue
			}
			if c := commands[at]; system == "windows" && (c.Command != `${HELM_PLUGIN_DIR}\bin\kora.exe` || strings.Contains(strings.Join(c.Args, " "), "/")) {
				t.Errorf("%s on Windows is %q", name, append([]string{c.Command}, c.Args...))
			}
		}
	}
}
