package preflight

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
)

// helm runs Helm 3 on the cluster, and gives what it says.
func helm(t *testing.T, c *testcluster.Cluster, args ...string) (string, error) {
	t.Helper()
	folder, err := testcluster.Tool(t.Context(), "helm-3")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(folder, "helm"), append([]string{"--kubeconfig", c.Kubeconfig(), "-n", system}, args...)...).CombinedOutput()
	return string(out), err
}

// R55: preflight refuses what Helm refuses for its owner, Helm takes what the fix
// gives it, and an install that is there fails no preflight.
func TestClusterReleaseAndItsOwner(t *testing.T) {
	c := platform(t)
	install := func() (string, error) {
		return helm(t, c, "install", "kora", "../../charts/kora", "--no-hooks", "--disable-openapi-validation", "--set", "global.trustDomain=example.com,frontendHost=example.com,gateway.tls.enabled=false")
	}
	mesh.Kubectl(t, c, "", "-n", system, "create", "serviceaccount", "kora-agents")
	if out, err := install(); err == nil || !strings.Contains(out, "invalid ownership metadata") {
		t.Fatalf("%v %s", err, out)
	}
	_, all := seen(t, c.Kubeconfig())
	if all["release"].State != engine.Failed {
		t.Fatalf("%+v", all["release"])
	}
	obey(t, c, all["release"].Findings[0].Fix)
	defer func() {
		if out, err := helm(t, c, "uninstall", "kora", "--no-hooks"); err != nil {
			t.Errorf("%v %s", err, out)
		}
	}()
	if out, err := install(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	if _, all = seen(t, c.Kubeconfig()); all["release"].State != engine.Passed {
		t.Errorf("%+v", all["release"])
	}
}
