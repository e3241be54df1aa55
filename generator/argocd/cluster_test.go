package argocd

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/testcluster"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

var (
	definitions  = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	applications = schema.GroupVersionResource{Group: "argoproj.io", Version: "v1alpha1", Resource: "applications"}
)

// definition is the real one of Application, from the module whose types marshal
// them.
func definition(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/argoproj/argo-cd/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "manifests", "crds", "application-crd.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	crd := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &crd.Object); err != nil {
		t.Fatal(err)
	}
	return crd
}

// install creates the definition and waits until its kind can be listed.
func install(ctx context.Context, t *testing.T, client dynamic.Interface) {
	t.Helper()
	if _, err := client.Resource(definitions).Create(ctx, definition(t), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		_, err := client.Resource(applications).List(ctx, metav1.ListOptions{})
		return err == nil, nil
	})
	if err != nil {
		t.Fatal("the kind Application cannot be listed: ", err)
	}
}

// R40: a real API server takes every Application, strictly, by the real
// definition: of the reference, and of environments that set everything else.
// It refuses one with a field that there is not, so it does look.
func TestRealDefinitionTakesEveryApplication(t *testing.T) {
	cluster := testcluster.Shared(t)
	ctx := cluster.Context(t)
	config := cluster.Config()
	config.WarningHandler = rest.NoWarnings{} // of Argo CD's finalizer, whose name has no path
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	install(ctx, t, client)
	namespace := cluster.Namespace(t, testcluster.Restricted)
	digest := "sha256:" + strings.Repeat("a", 64)
	sets := map[string][]byte{}
	for name, facts := range map[string]string{
		"reference": releases.ExampleEnvironment(),
		"full":      least + "  tenants: { url: \"https://git.example.com/t.git\" }\n  syncOptions: [PruneLast=true]\n  selfHeal: false\ntheme: theme.yaml\nistio: { revision: r1 }\nnodePools: { sandbox: { tolerations: [{ operator: Exists, effect: NoExecute, tolerationSeconds: 5 }] } }\n",
		"by hand":   least + "  automated: false\n",
	} {
		for _, pins := range []releases.Pins{{Version: "1.4.0"}, {Version: "1.4.0", Digests: map[string]string{"kora": digest, "kora-crds": digest}}} {
			for _, f := range generated(t, facts, pins).Files {
				if strings.HasPrefix(f.Path, "app") {
					sets[name+" "+f.Path+" "+pins.Digests["kora"]] = []byte(f.Text)
				}
			}
		}
	}
	strict := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}
	for name, text := range sets {
		app := &unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict(text, &app.Object); err != nil {
			t.Fatal(err)
		}
		app.SetNamespace(namespace)
		if _, err := client.Resource(applications).Namespace(namespace).Create(ctx, app, strict); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		app.Object["spec"].(map[string]any)["syncPolcy"] = map[string]any{}
		if _, err := client.Resource(applications).Namespace(namespace).Create(ctx, app, strict); err == nil {
			t.Errorf("%s: taken with a field that there is not", name)
		}
	}
	if len(sets) < 30 {
		t.Errorf("only %d Applications", len(sets))
	}
}
