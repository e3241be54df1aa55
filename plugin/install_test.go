package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/runkora/kora"
	"github.com/runkora/kora/internal/testcluster"
)

// packaged builds this platform's binaries and packs them as a release does.
func packaged(t *testing.T) string {
	t.Helper()
	platform := runtime.GOOS + "-" + runtime.GOARCH
	binaries, out := t.TempDir(), t.TempDir()
	at := filepath.Join(binaries, platform)
	command(t, nil, "go", "build", "-o", filepath.Join(at, "kora"), ".")
	command(t, nil, "go", "build", "-o", filepath.Join(at, "kora-operator"), "../operator")
	command(t, nil, "go", "-C", "../tools/package", "run", ".", "-out", out, "-binaries", binaries, "-platforms", runtime.GOOS+"/"+runtime.GOARCH)
	return out
}

// command runs a program and returns what it printed on standard output.
func command(t *testing.T, environ []string, name string, args ...string) string {
	t.Helper()
	var words strings.Builder
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env, cmd.Stderr = append(append(os.Environ(), "CGO_ENABLED=0"), environ...), &words
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, words.String())
	}
	return string(out)
}

// ownHelm is a Helm that keeps its files in a folder of the test.
func ownHelm(t *testing.T) []string {
	dir := t.TempDir()
	return []string{"HELM_CACHE_HOME=" + dir + "/cache", "HELM_CONFIG_HOME=" + dir + "/config", "HELM_DATA_HOME=" + dir + "/data", "HELM_PLUGINS=" + dir + "/data/plugins"}
}

// gzipServer hands out files as what Helm takes for an archive, on the
// loopback alone.
func gzipServer(t *testing.T, dir string) string {
	files := http.FileServer(http.Dir(dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/gzip")
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// R43, fixed names: what a release hands out installs in Helm 3 and Helm 4,
// from each place that each of them takes, and runs, helps and completes.
func TestInstallFromEachPlaceInBothHelms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binaries and needs Helm")
	}
	dist := packaged(t)
	name := kora.Version() + "-" + runtime.GOOS + "-" + runtime.GOARCH + ".tgz"
	unpacked := t.TempDir()
	command(t, nil, "tar", "-C", unpacked, "-xzf", filepath.Join(dist, "kora-"+name))
	url := gzipServer(t, dist)
	for _, c := range []struct {
		helm, what string
		install    []string
	}{
		{"helm-3", "the unpacked archive", []string{filepath.Join(unpacked, "kora")}},
		{"helm-3", "a URL", []string{url + "/kora-helm3-" + name}},
		{"helm-4", "the archive", []string{filepath.Join(dist, "kora-"+name), "--verify=false"}},
		{"helm-4", "the unpacked archive", []string{filepath.Join(unpacked, "kora")}},
		{"helm-4", "a URL", []string{url + "/kora-" + name, "--verify=false"}},
	} {
		t.Run(c.helm+" from "+c.what, func(t *testing.T) { installs(t, c.helm, c.install) })
	}
}

func installs(t *testing.T, version string, install []string) {
	folder, err := testcluster.Tool(t.Context(), version)
	if err != nil {
		t.Fatal(err)
	}
	helm, own := filepath.Join(folder, "helm"), ownHelm(t)
	command(t, own, helm, append([]string{"plugin", "install"}, install...)...)
	if got := command(t, own, helm, "kora", "version"); got != kora.Version()+"\n" {
		t.Errorf("helm kora version prints %q", got)
	}
	if got := command(t, own, helm, "kora", "--help"); !strings.Contains(got, "render") {
		t.Errorf("helm kora --help prints\n%s", got)
	}
	if got := command(t, own, helm, "__complete", "kora", "ren"); !strings.Contains(got, "render") {
		t.Errorf("helm completes %q", got)
	}
	completesWords(t, helm, own)
}

// completesWords holds what Helm proposes to be kora's words alone, and the directive
// to be kora's own: no space, no file.
func completesWords(t *testing.T, helm string, own []string) {
	t.Helper()
	got := command(t, own, helm, "__complete", "kora", "preflight", "--only", "istio,spire,nodes")
	if got != "istio,spire,nodes\n:6\n" {
		t.Errorf("helm completes %q", got)
	}
}
