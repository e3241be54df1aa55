//go:build helmfile

package helmfile

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/testcluster"
)

// istio is the module that carries the charts of Istio 1.31.
const istio = "istio.io/istio@v0.0.0-20260827124520-eed52ebb66ad"

// charts packs Istio's real charts, kora-crds, and stand-ins of the others, and
// serves them on this machine.
func charts(t *testing.T, helm string) string {
	t.Helper()
	download := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", istio)
	download.Dir = t.TempDir()
	out, err := download.Output()
	var got struct{ Dir, Sum string }
	if jsonErr := json.Unmarshal(out, &got); err != nil || jsonErr != nil || got.Sum != "h1:ui9TJjRMAV/hb5ehQaZDq7IUGxuQP6dra9lapT/VjHI=" {
		t.Fatalf("%s: %v %v %q", istio, err, jsonErr, got.Sum)
	}
	real := filepath.Join(got.Dir, "manifests", "charts")
	served := t.TempDir()
	for source, version := range map[string]string{
		filepath.Join(real, "base"): releases.IstioVersion, filepath.Join(real, "istio-cni"): releases.IstioVersion,
		filepath.Join(real, "istio-control", "istio-discovery"): releases.IstioVersion,
		"../../testdata/generator/charts/spire-crds":            releases.SPIRECRDsVersion,
		"../../testdata/generator/charts/spire":                 releases.SPIREVersion,
		"../../testdata/generator/charts/kora":                  "1.4.0",
		"../../charts/kora-crds":                                "1.4.0",
	} {
		if out, err := exec.CommandContext(t.Context(), helm, "package", source, "--version", version, "--destination", served).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", source, err, out)
		}
	}
	if out, err := exec.CommandContext(t.Context(), helm, "repo", "index", served).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(served)))
	t.Cleanup(server.Close)
	return server.URL
}

// R39, R42: on a blank cluster the real Helmfile and the real Helm install the
// reference, and by the API server's own times each release begins when all it
// needs is deployed.
func TestRealHelmfileInstallsABlankCluster(t *testing.T) {
	folderOf, err := testcluster.Tool(t.Context(), "helm-3")
	if err != nil {
		t.Fatal(err)
	}
	cluster := testcluster.Shared(t)
	helm := filepath.Join(folderOf, "helm")
	url := charts(t, helm)
	dir := folder(t, releases.Pins{Version: "1.4.0"}, least+"theme: theme.yaml\ncharts: { kora: '"+url+"', spire: '"+url+"', istio: '"+url+"' }\n")
	if err := os.WriteFile(filepath.Join(dir, "values", "theme.yaml"), []byte("koraVersion: \"1.4.0\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	bin := links(t, map[string]string{"helm": helm, "kubectl": filepath.Join(cluster.Binaries(), "kubectl")})
	out := run(t, dir, bin, []string{"KUBECONFIG=" + cluster.Kubeconfig()}, "-e", "test", "sync")

	ctx := cluster.Context(t)
	secrets, err := cluster.Client().CoreV1().Secrets("").List(ctx, metav1.ListOptions{LabelSelector: "owner=helm"})
	if err != nil {
		t.Fatal(err)
	}
	began, deployed := map[string]time.Time{}, map[string]time.Time{}
	for _, s := range secrets.Items {
		if s.Labels["status"] != "deployed" {
			t.Errorf("%s is %s", s.Labels["name"], s.Labels["status"])
		}
		began[s.Labels["name"]] = s.CreationTimestamp.Time
		for _, m := range s.ManagedFields {
			if m.Time.After(deployed[s.Labels["name"]]) {
				deployed[s.Labels["name"]] = m.Time.Time
			}
		}
	}
	g, err := releases.Reference(releases.Pins{Version: "1.4.0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range g.Releases {
		if began[r.Name].IsZero() {
			t.Errorf("%s is not installed:\n%s", r.Name, out)
		}
		for _, need := range r.Needs {
			if deployed[need].After(began[r.Name]) {
				t.Errorf("%s began at %s, before %s was deployed at %s", r.Name, began[r.Name], need, deployed[need])
			}
		}
	}
	values, err := cluster.Client().CoreV1().ConfigMaps("kora-system").Get(ctx, "values", metav1.GetOptions{})
	if err != nil || values.Data["trustDomain"] != "td.example.com" || values.Data["database"] != "postgres.example.internal" || !strings.Contains(values.Data["theme"], "koraVersion") {
		t.Errorf("%v: %v", err, values.Data)
	}
	mesh, err := cluster.Client().CoreV1().ConfigMaps("istio-system").Get(ctx, "istio", metav1.GetOptions{})
	if err != nil || !strings.Contains(mesh.Data["mesh"], "trustDomain: td.example.com") {
		t.Errorf("%v: %v", err, mesh.Data)
	}
	for namespace, level := range map[string]string{"kora-system": "restricted", "istio-system": "privileged", "spire-system": "privileged"} {
		ns, err := cluster.Client().CoreV1().Namespaces().Get(ctx, namespace, metav1.GetOptions{})
		if err != nil || ns.Labels["pod-security.kubernetes.io/enforce"] != level || (ns.Labels["istio-injection"] == "enabled") != (namespace == "kora-system") {
			t.Errorf("%s: %v %v", namespace, err, ns.Labels)
		}
	}
	nodes, err := cluster.Client().CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for namespace, name := range map[string]string{"spire-system": "spire-agent", "istio-system": "istio-cni-node"} {
		set, err := cluster.Client().AppsV1().DaemonSets(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil || int(set.Status.NumberReady) != len(nodes.Items) {
			t.Errorf("%s: %v, ready on %d of %d nodes", name, err, set.Status.NumberReady, len(nodes.Items))
		}
	}
}
