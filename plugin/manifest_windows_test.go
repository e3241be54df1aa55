package main

import (
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/plugin"
)

// R43, fixed names: Helm's own loader takes the manifest, and every platform that is
// packed has its command and each of the hooks. Helm 4, which the tests of the
// installation run on this platform, ends an installation with an error where a hook
// is there and none for its platform. A path is Windows' own there, and no shell of
// another system's is named.
func TestEveryPlatformHasItsCommandAndItsHooks(t *testing.T) {
	loaded, err := plugin.LoadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	m := loaded.Metadata
	lists := map[string][]plugin.PlatformCommand{"platformCommand": m.PlatformCommand}
	for event, hooks := range m.PlatformHooks {
		lists["the hook "+event] = hooks
	}
	if len(lists) != 3 {
		t.Errorf("%d lists", len(lists))
	}
	for name, commands := range lists {
		for _, os := range []string{"linux", "darwin", "windows"} {
			of := func(c plugin.PlatformCommand) bool { return c.OperatingSystem == os && c.Architecture == "" }
			at := slices.IndexFunc(commands, of)
			if at < 0 {
				t.Errorf("%s has nothing for %s", name, os)
				continue
			}
			if c := commands[at]; os == "windows" && (c.Command != `${HELM_PLUGIN_DIR}\bin\kora.exe` || strings.Contains(strings.Join(c.Args, " "), "/")) {
				t.Errorf("%s on Windows is %q", name, append([]string{c.Command}, c.Args...))
			}
		}
	}
}
