// Package helm runs a version of Helm without a cluster and reads what it prints.
// It serves tests alone.
package helm

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/testcluster"
)

// Print runs a version ("helm-3", "helm-4") with a home of its own and no cluster,
// and returns its standard output. A failure ends the test with Helm's words.
func Print(t testing.TB, version string, args ...string) string {
	t.Helper()
	folder, err := testcluster.Tool(t.Context(), version)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "helm"), args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "KUBECONFIG=" + os.DevNull, "HOME=" + home,
		"HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home, "HELM_PLUGINS=" + home}
	return Output(t, cmd)
}

// Output is what a program prints on standard output. A failure ends the test with
// what it says on the other stream.
func Output(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, words.String())
	}
	return string(out)
}

// Objects reads a stream strictly, in its order. It parts documents as Argo CD
// does, so that each has to be one object; an empty one is left out.
func Objects(t testing.TB, stream string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for text := range strings.SplitSeq("\n"+stream, "\n---\n") {
		var o map[string]any
		if err := yaml.UnmarshalStrict([]byte(text+"\n"), &o); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if o != nil {
			all = append(all, o)
		}
	}
	return all
}
