//go:build helmfile

package helmfile

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

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

// helms are the two that install.
var helms = []string{"helm-3", "helm-4"}

// program is the real Helm of a major version.
func program(t *testing.T, version string) string {
	t.Helper()
	folder, err := testcluster.Tool(t.Context(), version)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "helm")
}

// blank is a cluster on which nothing was installed.
func blank(t *testing.T) *testcluster.Cluster {
	t.Helper()
	c, err := testcluster.Start(t.Context(), testcluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// R39, R42: on a blank cluster the real Helmfile and both real Helms install the
// reference, and by the API server's own times each release begins when all it
// needs is deployed.
func TestRealHelmfileInstallsABlankCluster(t *testing.T) {
	for _, version := range helms {
		t.Run(version, func(t *testing.T) { installs(t, blank(t), program(t, version)) })
	}
}

func installs(t *testing.T, cluster *testcluster.Cluster, helm string) {
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

// R39, R44: helmfile template gives the same objects under both Helms, and every
// release's.
func TestRealHelmfileTemplatesTheSameUnderBothHelms(t *testing.T) {
	url := charts(t, program(t, "helm-3"))
	dir := folder(t, releases.Pins{Version: "1.4.0"}, least+"charts: { kora: '"+url+"', spire: '"+url+"', istio: '"+url+"' }\n")
	var texts []string
	for _, version := range helms {
		bin := links(t, map[string]string{"helm": program(t, version)})
		texts = append(texts, objects(t, run(t, dir, bin, nil, "-q", "-e", "test", "template")))
	}
	if texts[0] != texts[1] {
		t.Errorf("they differ:\n%s\n---\n%s", texts[0], texts[1])
	}
	for _, want := range []string{"DaemonSet spire-agent", "Deployment istiod", "DaemonSet istio-cni-node", "CustomResourceDefinition koratenants.runkora.io"} {
		if !strings.Contains(texts[0], want) {
			t.Errorf("no %s among\n%s", want, texts[0])
		}
	}
}

// objects are the kinds and names of many documents, ordered, each with its text
// in one line: what a template's white space is, nobody looks at.
func objects(t *testing.T, text string) string {
	t.Helper()
	var lines []string
	for document := range strings.SplitSeq(text, "\n---\n") {
		o := map[string]any{}
		if err := yaml.Unmarshal([]byte(document), &o); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if len(o) == 0 {
			continue
		}
		metadata, _ := o["metadata"].(map[string]any)
		line, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s", o["kind"], metadata["name"], line))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
