package testcluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bare has none of the variables that choose programs, and an empty cache.
func bare(t *testing.T) (cache string) {
	t.Helper()
	cache = t.TempDir()
	for name, value := range map[string]string{"KORA_CACHE": cache, "K8S": "", "KUBEBUILDER_ASSETS": "", "PATH": ""} {
		t.Setenv(name, value)
	}
	return cache
}

func TestMissingCompilerIsOneLineAndLeavesNothing(t *testing.T) {
	cache := bare(t)
	_, err := Binaries(t.Context())
	if err == nil || !strings.Contains(err.Error(), "no go on PATH") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(cache); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestCompleteAssetsNeedNoCompiler(t *testing.T) {
	bare(t)
	assets := t.TempDir()
	t.Setenv("KUBEBUILDER_ASSETS", assets)
	for _, name := range programNames {
		if _, err := Binaries(t.Context()); err == nil {
			t.Fatalf("taken without %s", name)
		}
		if err := os.WriteFile(filepath.Join(assets, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := Binaries(t.Context()); err != nil || got != assets {
		t.Errorf("got %q, %v", got, err)
	}
	t.Setenv("K8S", "1.34")
	if _, err := Binaries(t.Context()); err == nil {
		t.Error("taken although K8S asks for a version")
	}
}

func TestUnknownVersionIsOneLine(t *testing.T) {
	t.Setenv("K8S", "1.20")
	_, err := Binaries(t.Context())
	if err == nil || !strings.Contains(err.Error(), "K8S=1.20: there is 1.34, 1.35 and 1.36") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v", err)
	}
}

func TestShortSkipsAndSaysSo(t *testing.T) {
	cmd := again(t, "TestSharedClusterIsReady")
	cmd.Args = append(cmd.Args, "-test.short")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- SKIP: TestSharedClusterIsReady") || !strings.Contains(string(out), "left out by -short") {
		t.Errorf("%v\n%s", err, out)
	}
}
