//go:build helmfile

package helmfile

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/testcluster"
	real "github.com/runkora/kora/internal/testcluster/helmfile"
)

// These tests run the real Helmfile: make test-helmfile.

// recordEnv names the file in which this test binary, called as helm or as
// kubectl, writes down how it was called.
const recordEnv = "KORA_TEST_RECORD"

func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); name == "helm" || name == "kubectl" {
		os.Exit(record(name, os.Args[1:]))
	}
	os.Exit(testcluster.Main(m))
}

// record stands in for helm and kubectl: it writes the call down, and does what
// Helmfile needs to go on.
func record(name string, args []string) int {
	f, err := os.OpenFile(os.Getenv(recordEnv), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 1
	}
	defer f.Close()
	line, _ := json.Marshal(append([]string{name}, args...))
	fmt.Fprintf(f, "%s\n", line)
	switch {
	case name == "kubectl" && len(args) > 1 && args[1] == "get":
		return 1 // no namespace is there yet
	case name == "helm" && args[0] == "version":
		fmt.Println("v3.21.4+g0000000")
	case name == "helm" && args[0] == "pull":
		return unpack(args)
	}
	return 0
}

// unpack makes the folder that helm pull --untar would.
func unpack(args []string) int {
	for i, a := range args {
		if a != "--destination" {
			continue
		}
		chart, _, _ := strings.Cut(filepath.Base(args[1]), "@")
		dir := filepath.Join(args[i+1], chart)
		if os.MkdirAll(dir, 0o755) != nil || os.WriteFile(filepath.Join(dir, "Chart.yaml"), []byte("apiVersion: v2\nname: "+chart+"\nversion: 1.4.0\n"), 0o644) != nil {
			return 1
		}
	}
	return 0
}

// run calls the real Helmfile in a folder that was generated, with the programs
// of bin alone in front.
func run(t *testing.T, dir, bin string, env []string, args ...string) string {
	t.Helper()
	out, err := try(t, dir, bin, env, args...)
	if err != nil {
		t.Fatalf("helmfile %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// try is run where Helmfile may fail.
func try(t *testing.T, dir, bin string, env []string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), real.Binary(t), args...)
	home := t.TempDir()
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home, "HELMFILE_CACHE_HOME=" + home,
		"HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home, "HELM_PLUGINS=" + home, "HELMFILE_UPGRADE_NOTICE_DISABLED=true",
	}, env...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// folder is the generated folder with facts of a test.
func folder(t *testing.T, pins releases.Pins, facts string) string {
	t.Helper()
	g, err := releases.Reference(pins)
	if err != nil {
		t.Fatal(err)
	}
	set, err := Generate(Input{Graph: g, Environment: "test", Text: facts})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, set)
}

func write(t *testing.T, set output.Set) string {
	t.Helper()
	dir := t.TempDir()
	if _, found := set.Write(dir, false); found.Refused() {
		t.Fatal(found)
	}
	return dir
}

// links puts programs under names of their own into one folder.
func links(t *testing.T, programs map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, target := range programs {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
