package preflight

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	admission "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/internal/testcluster/mesh"
	engine "github.com/runkora/kora/operator/preflight"
	"github.com/runkora/kora/operator/preflight/facts"
)

// injector is the webhook configuration that Istio's own chart makes for a
// revision.
func injector(t *testing.T, revision string) *admission.MutatingWebhookConfiguration {
	t.Helper()
	return injectors(t, revision, "")[0]
}

// injectors are the same, and that of a tag, if one is named.
func injectors(t *testing.T, revision, tag string) (out []*admission.MutatingWebhookConfiguration) {
	t.Helper()
	folder, err := testcluster.Tool(t.Context(), "helm-3")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"template", "istiod", filepath.Join(mesh.IstioCharts(t), "istio-control/istio-discovery"), "-n", mesh.IstioNamespace, "--kube-version", "1.36.0", "--set", "revision=" + revision, "-s", "templates/mutatingwebhook.yaml"}
	want := 1
	if tag != "" {
		args, want = append(args, "-s", "templates/revision-tags-mwc.yaml", "--set", "revisionTags[0]="+tag), 2
	}
	text, err := exec.CommandContext(t.Context(), filepath.Join(folder, "helm"), args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		config := &admission.MutatingWebhookConfiguration{}
		if err := yaml.Unmarshal([]byte(document), config); err != nil {
			t.Fatal(err)
		}
		if len(config.Webhooks) > 0 {
			out = append(out, config)
		}
	}
	if len(out) != want {
		t.Fatalf("the chart makes %d configurations", len(out))
	}
	return out
}

// injects reports whether one of its webhooks takes a plain pod of a namespace.
func injects(t *testing.T, config *admission.MutatingWebhookConfiguration, namespace map[string]string) bool {
	t.Helper()
	takes := func(by *metav1.LabelSelector, has labels.Set) bool {
		selector, err := metav1.LabelSelectorAsSelector(by)
		if err != nil {
			t.Fatal(err)
		}
		return selector.Matches(has)
	}
	for _, w := range config.Webhooks {
		if takes(w.NamespaceSelector, namespace) && takes(w.ObjectSelector, labels.Set{"app.kubernetes.io/part-of": "kora"}) {
			return true
		}
	}
	return false
}

// R55: the labels of the system namespace pass where Istio's own webhooks would
// inject its pods by the revision that kora is set to, and nowhere else.
func TestInjectionAsIstiosWebhooksDoIt(t *testing.T) {
	n := 0
	for _, set := range []string{"", "canary"} {
		config := injector(t, set)
		for _, old := range []string{"", "enabled", "disabled"} {
			for _, revision := range []string{"", "default", "canary", "other"} {
				has := map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}
				for key, value := range map[string]string{"istio-injection": old, "istio.io/rev": revision} {
					if value != "" {
						has[key] = value
					}
				}
				s := engine.Settings{Namespace: system, Revision: set}
				f := facts.Nothing("nobody looked")
				f.Namespaces, f.Asked = facts.Known(map[string]facts.Namespace{system: {Labels: has}}), s.Asked()
				checks, err := engine.Select([]string{"system-namespace"})
				if err != nil {
					t.Fatal(err)
				}
				want := injects(t, config, has)
				if got := engine.Judge(checks, f, s)[0].State == engine.Passed; got != want {
					t.Errorf("revision %q, labels %v: %t, and Istio injects: %t", set, has, got, want)
				}
				if want {
					n++
				}
			}
		}
	}
	if n < 4 {
		t.Errorf("Istio injects in %d cases", n)
	}
}
