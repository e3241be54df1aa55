package mesh

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
)

//go:embed spire.yaml
var spire string

// Spire applies stand-ins of our own for what the spire chart makes: workloads
// by their images, the ConfigMaps and the CSIDriver. The definitions must be
// there.
func Spire(t testing.TB, c *testcluster.Cluster, trustDomain string) {
	t.Helper()
	Kubectl(t, c, strings.ReplaceAll(spire, "TRUST_DOMAIN", trustDomain), "apply", "--server-side", "--force-conflicts", "-f", "-")
}

// Ready waits until the node components run on every node.
func Ready(t testing.TB, c *testcluster.Cluster) {
	t.Helper()
	for _, set := range [][2]string{{"spire-system", "spire-agent"}, {"spire-system", "spire-spiffe-csi-driver"}, {IstioNamespace, "istio-cni-node"}} {
		Kubectl(t, c, "", "-n", set[0], "rollout", "status", "daemonset/"+set[1], "--timeout=120s")
	}
	Kubectl(t, c, "", "-n", IstioNamespace, "rollout", "status", "deployment", "--timeout=120s")
}
