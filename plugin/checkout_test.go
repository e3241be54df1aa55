package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/testcluster"
)

// R43: a checkout installs in both Helms without a network. One that is not built
// says so and ends with a failure, and works as soon as it is.
func TestInstallOfACheckoutSaysWhatIsMissing(t *testing.T) {
	built := filepath.Join(t.TempDir(), "kora")
	command(t, nil, "go", "build", "-o", built, ".")
	for _, version := range []string{"helm-3", "helm-4"} {
		t.Run(version, func(t *testing.T) { checkoutInstalls(t, version, built) })
	}
}

func checkoutInstalls(t *testing.T, version, built string) {
	folder, err := testcluster.Tool(t.Context(), version)
	if err != nil {
		t.Fatal(err)
	}
	helm, own, checkout := filepath.Join(folder, "helm"), ownHelm(t), filepath.Join(t.TempDir(), "kora-`id`")
	if err := os.MkdirAll(filepath.Join(checkout, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"plugin.yaml", "plugin.complete"} {
		text, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(checkout, name), text, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.CommandContext(t.Context(), helm, "plugin", "install", checkout)
	install.Env = append(os.Environ(), own...)
	out, err := install.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "bin/kora is not there, or may not be run. In a checkout make build makes it") {
		t.Fatalf("an unbuilt checkout: %v\n%s", err, out)
	}
	command(t, own, "cp", built, filepath.Join(checkout, "bin", "kora"))
	if got := command(t, own, helm, "kora", "version"); got != kora.Version()+"\n" {
		t.Errorf("once built, helm kora version prints %q", got)
	}
	command(t, own, helm, "plugin", "uninstall", "kora")
	command(t, own, helm, "plugin", "install", checkout)
	if got := command(t, own, helm, "kora", "help", "render"); !strings.Contains(got, "\n  helm kora render ") {
		t.Errorf("helm kora help render prints\n%s", got)
	}
}
