package mesh

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/testcluster"
)

// Istio is what an install of it differs by.
type Istio struct {
	Version     string // of its images; "" is 1.31.1
	TrustDomain string // of its mesh configuration
	NoCNI       bool   // pilot.cni.enabled is false
	Revision    string
}

// IstioNamespace is where it goes.
const IstioNamespace = "istio-system"

// Install renders Istio's own charts and applies them. No istiod answers here, so the
// webhooks of injection let pass what they would change, and those that validate are
// left out.
func (i Istio) Install(t testing.TB, c *testcluster.Cluster) {
	t.Helper()
	if i.Version == "" {
		i.Version = "1.31.1"
	}
	charts := filepath.Join(istioChart.folder(t), "manifests/charts")
	cni := "true"
	if i.NoCNI {
		cni = "false"
	}
	Kubectl(t, c, namespace(IstioNamespace), "apply", "-f", "-")
	i.apply(t, c, "istiod", filepath.Join(charts, "istio-control/istio-discovery"), "pilot.cni.enabled="+cni, "meshConfig.trustDomain="+i.TrustDomain, "revision="+i.Revision, "autoscaleEnabled=false")
	i.apply(t, c, "istio-cni", filepath.Join(charts, "istio-cni"))
}

func namespace(name string) string {
	return "apiVersion: v1\nkind: Namespace\nmetadata: { name: " + name + ", labels: { pod-security.kubernetes.io/enforce: privileged } }\n"
}

func (i Istio) apply(t testing.TB, c *testcluster.Cluster, release, chart string, set ...string) {
	t.Helper()
	folder, err := testcluster.Tool(t.Context(), "helm-3")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"template", release, chart, "-n", IstioNamespace, "--kube-version", "1.36.0", "--set", "global.tag=" + i.Version}
	for _, s := range set {
		args = append(args, "--set", s)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(folder, "helm"), args...).Output()
	if err != nil {
		t.Fatalf("helm %v: %v", args, err)
	}
	Kubectl(t, c, unanswered(t, string(out)), "apply", "--server-side", "--force-conflicts", "-f", "-")
}

// unanswered are a chart's objects for a cluster in which its webhooks have nobody to
// answer them.
func unanswered(t testing.TB, text string) string {
	t.Helper()
	var kept []string
	for document := range strings.SplitSeq(text, "\n---\n") {
		var o struct{ Kind string }
		if err := yaml.Unmarshal([]byte(document), &o); err != nil {
			t.Fatal(err)
		}
		switch o.Kind {
		case "", "ValidatingWebhookConfiguration":
		case "MutatingWebhookConfiguration":
			kept = append(kept, strings.ReplaceAll(document, "failurePolicy: Fail", "failurePolicy: Ignore"))
		default:
			kept = append(kept, document)
		}
	}
	return strings.Join(kept, "\n---\n")
}
