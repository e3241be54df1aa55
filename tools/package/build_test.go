package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// R56: neither a variable nor what go env -w wrote makes other bytes; where modules are
// found stays as this machine has it.
func TestNoSettingOfTheMachineChangesTheBytes(t *testing.T) {
	set := "GOAMD64=v3\nGOARM64=v9.0\nGOFLAGS=-tags=other\nGOEXPERIMENT=greenteagc\nGOFIPS140=latest\n"
	file := filepath.Join(t.TempDir(), "env")
	if err := os.WriteFile(file, []byte(set+"GOPROXY=off\nGONOSUMDB=example.com\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", file)
	for name, by := range map[string]string{"go env -w": "", "variables": set} {
		for line := range strings.Lines(by) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			t.Setenv(key, value)
		}
		t.Setenv("GOPROXY", "") // what the test itself was given
		for processor, level := range map[string]string{"amd64": "GOAMD64", "arm64": "GOARM64"} {
			env, err := environment(platform{"linux", processor})
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", "env", "GOOS", "GOARCH", level, "GOFLAGS", "GOEXPERIMENT", "GOFIPS140", "CGO_ENABLED", "GOPROXY", "GONOSUMDB")
			cmd.Env = env
			out, err := cmd.Output()
			want := map[string]string{"amd64": "v1", "arm64": "v8.0"}[processor]
			if got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n"); err != nil || !slices.Equal(got, []string{"linux", processor, want, "", "", "off", "0", "off", "example.com"}) {
				t.Errorf("%s: %q %v", name, got, err)
			}
		}
	}
}

// R56: a binary of another platform is packed under no other's name.
func TestABinaryOfAnotherPlatformIsRefused(t *testing.T) {
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"linux/arm64", "darwin/amd64"} {
		binaries, out := t.TempDir(), t.TempDir()
		folder := filepath.Join(binaries, strings.ReplaceAll(to, "/", "-"))
		if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "kora"), self, 0o755), os.WriteFile(filepath.Join(folder, "kora-operator"), self, 0o755)); err != nil {
			t.Fatal(err)
		}
		var words strings.Builder
		if status := run([]string{"-out", out, "-binaries", binaries, "-platforms", to}, "../..", &words); status != 1 || !strings.Contains(words.String(), "it was built for ") || !strings.Contains(words.String(), folder) {
			t.Errorf("%s: status %d, %s", to, status, words.String())
		}
		if all := names(t, out); len(all) > 0 {
			t.Errorf("%s: %v were written", to, all)
		}
	}
}

// R56: of an earlier run, of whatever version or platform, nothing stays beside the new
// sums; what somebody else put there does.
func TestNothingOfAnEarlierRunStays(t *testing.T) {
	out := packed(t)
	at := func(name string) string { return filepath.Join(out, name) }
	text, err := os.ReadFile(at("SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, "0  kora-0.9.0-linux-amd64.tgz\n0  ../notes.txt\n0  notes.txt\n0  kora-gone-1.0.0.tgz\n0  kora-../../x.tgz\n"...)
	if err := errors.Join(os.WriteFile(at("SHA256SUMS"), text, 0o644), os.WriteFile(at("kora-0.9.0-linux-amd64.tgz"), nil, 0o644), os.WriteFile(at("notes.txt"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	if status := run([]string{"-out", out, "-binaries", t.TempDir(), "-platforms", "linux/amd64"}, "../..", io.Discard); status != 1 {
		t.Errorf("status %d", status)
	}
	if all := names(t, out); !slices.Equal(all, []string{"notes.txt"}) {
		t.Errorf("%v", all)
	}
}
