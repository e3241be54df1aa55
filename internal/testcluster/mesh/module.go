package mesh

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// module is one of somebody else's, with the sum that it must have.
type module struct{ name, sum string }

var (
	istioAPI   = module{"istio.io/api@v1.31.4", "h1:AcnncYrlDj1PJkym7h88Gggkef4MAra8QpGaXRMsr+E="}
	istioChart = module{"istio.io/istio@v0.0.0-20260827124520-eed52ebb66ad", "h1:ui9TJjRMAV/hb5ehQaZDq7IUGxuQP6dra9lapT/VjHI="}
	controller = module{"github.com/spiffe/spire-controller-manager@v0.6.3", "h1:TwGDxddP21exUKGvUOuCIr7bKrWnX7uoDoIIUllrGzU="}
)

// folder is where the module lies in the cache, downloaded when it is not there.
func (m module) folder(t testing.TB) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", m.name)
	cmd.Dir = t.TempDir() // outside of kora's module, which does not need it
	out, err := cmd.Output()
	var got struct{ Dir, Sum, Error string }
	if jsonErr := json.Unmarshal(out, &got); err != nil || jsonErr != nil || got.Sum != m.sum {
		t.Fatalf("%s: %v, %v, sum %q, %s", m.name, err, jsonErr, got.Sum, got.Error)
	}
	return got.Dir
}

// IstioCharts is the folder of Istio's own charts as released: base, istio-cni,
// istio-control/istio-discovery and more.
func IstioCharts(t testing.TB) string {
	t.Helper()
	return filepath.Join(istioChart.folder(t), "manifests", "charts")
}

// SpireDefinition is the file of the definition of ClusterSPIFFEID.
func SpireDefinition(t testing.TB) string {
	t.Helper()
	return filepath.Join(controller.folder(t), "config", "crd", "bases", "spire.spiffe.io_clusterspiffeids.yaml")
}
