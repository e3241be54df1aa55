package mesh

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
)

// Definitions applies the custom resource definitions of Istio and of SPIRE's
// controller manager, and waits until they are served.
func Definitions(t testing.TB, c *testcluster.Cluster) {
	t.Helper()
	for _, file := range []string{
		filepath.Join(istioAPI.folder(t), "kubernetes/customresourcedefinitions.gen.yaml"),
		filepath.Join(controller.folder(t), "config/crd/bases/spire.spiffe.io_clusterspiffeids.yaml"),
	} {
		Kubectl(t, c, "", "apply", "--server-side", "--force-conflicts", "-f", file)
	}
	Kubectl(t, c, "", "wait", "--for=condition=Established", "--timeout=60s", "crd", "--all")
}

// Kubectl runs the cluster's own kubectl as its administrator, with in on
// standard input, and returns what it printed.
func Kubectl(t testing.TB, c *testcluster.Cluster, in string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join(c.Binaries(), "kubectl"),
		append([]string{"--kubeconfig", c.Kubeconfig(), "--cache-dir", t.TempDir()}, args...)...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("kubectl %v: %v\n%s", args, err, out)
	}
	return string(out)
}
