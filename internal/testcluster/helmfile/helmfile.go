// Package helmfile gives tests the real Helmfile, built from its module into the
// cache of the test cluster's programs.
package helmfile

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
)

// The module, and the sum that it must have.
const (
	module = "github.com/helmfile/helmfile@v1.8.0"
	sum    = "h1:coUoYKmxceeLbm4y43dJ1Dh3crrwniAx8LtBxPcu7+Y="
)

// Binary is the program, built when it is not in the cache: half an hour on a
// busy machine.
func Binary(t testing.TB) string {
	t.Helper()
	cache, err := testcluster.CacheFolder()
	if err != nil {
		t.Fatal(err)
	}
	_, version, _ := strings.Cut(module, "@")
	name := filepath.Join(cache, "helmfile-"+version, "helmfile")
	if _, err := os.Stat(name); err == nil {
		return name
	}
	download := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	download.Dir = t.TempDir() // outside of kora's module, which does not need it
	out, err := download.Output()
	var got struct{ Dir, Sum string }
	if jsonErr := json.Unmarshal(out, &got); err != nil || jsonErr != nil || got.Sum != sum {
		t.Fatalf("%s: %v %v %q", module, err, jsonErr, got.Sum)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", name, ".")
	build.Dir, build.Env = got.Dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-p=1", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build Helmfile: %v\n%s", err, out)
	}
	return name
}
