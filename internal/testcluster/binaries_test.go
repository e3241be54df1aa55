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
	for name, value := range map[string]string{"KORA_CACHE": cache, "K8S": "", "KUBEBUILDER_ASSETS": "", builtVariable: "", "PATH": ""} {
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

func TestProgramThatCannotBeRunIsLacking(t *testing.T) {
	bare(t)
	assets := whole(t)
	t.Setenv("KUBEBUILDER_ASSETS", assets)
	must(t, os.Chmod(filepath.Join(assets, "etcd"), 0o600))
	if got, err := Binaries(t.Context()); err == nil {
		t.Errorf("taken: %s", got)
	}
}

func TestRelativeAssetsAreResolved(t *testing.T) {
	bare(t)
	assets := whole(t)
	t.Chdir(filepath.Dir(assets))
	t.Setenv("KUBEBUILDER_ASSETS", filepath.Base(assets))
	if got, err := Binaries(t.Context()); err != nil || got != assets {
		t.Errorf("got %q, %v", got, err)
	}
}

// whole is a folder of programs.
func whole(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range programNames {
		must(t, os.WriteFile(filepath.Join(folder, name), nil, 0o700))
	}
	return folder
}

func TestFolderThatMakeNamesIsTakenOrRefusedByName(t *testing.T) {
	bare(t)
	folder := whole(t)
	t.Setenv(builtVariable, folder)
	if got, err := Binaries(t.Context()); err != nil || got != folder {
		t.Errorf("got %q, %v", got, err)
	}
	must(t, os.Remove(filepath.Join(folder, "kwok")))
	if _, err := Binaries(t.Context()); err == nil || !strings.Contains(err.Error(), builtVariable+"="+folder+" lacks kwok: ") {
		t.Errorf("got %v", err)
	}
}

func TestRelativeCacheIsRefused(t *testing.T) {
	bare(t)
	t.Setenv("KORA_CACHE", ".cache")
	if _, err := Binaries(t.Context()); err == nil || err.Error() != "KORA_CACHE=.cache: the path has to be absolute" {
		t.Errorf("got %v", err)
	}
}

func TestShortSkipsAndSaysSo(t *testing.T) {
	cmd := again(t, "TestSharedClusterIsReady")
	cmd.Args = append(cmd.Args, "-test.short")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- SKIP: TestSharedClusterIsReady") || !strings.Contains(string(out), "left out by -short: 1 tests that need a control plane") {
		t.Errorf("%v\n%s", err, out)
	}
}
