package argocd

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora"
	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/source"
)

func generated(t testing.TB, facts string, pins releases.Pins) output.Set {
	t.Helper()
	env, found := environment.Read(source.NewFile("environments/example.yaml", facts))
	if found.Refused() {
		t.Fatal(found)
	}
	g, err := releases.Reference(pins)
	if err != nil {
		t.Fatal(err)
	}
	set, found := Generate(Input{Graph: g, Environment: env, File: "environments/example.yaml"})
	if found.Refused() {
		t.Fatal(found)
	}
	return set
}

func reference(t testing.TB) output.Set {
	return generated(t, releases.ExampleEnvironment(), releases.Pins{Version: kora.Version()})
}

// application reads one file back, strictly.
func application(t testing.TB, set output.Set, name string) *argo.Application {
	t.Helper()
	for _, f := range set.Files {
		if f.Path != name {
			continue
		}
		app := &argo.Application{}
		if err := yaml.UnmarshalStrict([]byte(f.Text), app); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return app
	}
	t.Fatalf("no file %s", name)
	return nil
}

// R40: the folder argocd at the root is what is generated. Other things may lie
// beside it; "make generate" writes it anew.
func TestReferenceIsWhatIsGenerated(t *testing.T) {
	for _, f := range reference(t).Files {
		got, err := os.ReadFile(filepath.Join("../../argocd", f.Path))
		if diff := cmp.Diff(output.Sealed(Generator, f.Text), string(got)); err != nil || diff != "" {
			t.Errorf("%s: run make generate: %v (-generated +committed):\n%s", f.Path, err, diff)
		}
	}
}

// R40: one Application a release, each in the wave of the graph, and tenants
// after kora-crds and kora.
func TestOneApplicationForEachReleaseInItsWave(t *testing.T) {
	set := reference(t)
	want := map[string]string{"spire-crds": "0", "istio-base": "0", "kora-crds": "0", "spire": "1", "istio-cni": "1", "istiod": "2", "kora": "3", "kora-tenants": "4"}
	got := map[string]string{}
	for _, f := range set.Files {
		if strings.HasPrefix(f.Path, "apps/") {
			app := application(t, set, f.Path)
			got[app.Name] = app.Annotations["argocd.argoproj.io/sync-wave"]
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// R40: every setting of deploying-kora's table, on the Application of kora.
func TestKoraHasTheSettingsOfTheTable(t *testing.T) {
	app := application(t, reference(t), "apps/kora.yaml")
	policy := app.Spec.SyncPolicy
	labels := map[string]string{
		"istio-injection":                    "enabled",
		"pod-security.kubernetes.io/enforce": "restricted", "pod-security.kubernetes.io/warn": "restricted", "pod-security.kubernetes.io/audit": "restricted",
	}
	if diff := cmp.Diff(labels, policy.ManagedNamespaceMetadata.Labels); diff != "" || !policy.SyncOptions.HasOption("CreateNamespace=true") {
		t.Errorf("the namespace: %s %v", diff, policy.SyncOptions)
	}
	var paths []string
	for _, d := range app.Spec.IgnoreDifferences {
		for _, p := range d.JQPathExpressions {
			paths = append(paths, d.Group+" "+d.Kind+" "+p)
		}
	}
	want := []string{
		"admissionregistration.k8s.io MutatingWebhookConfiguration .webhooks[]?.clientConfig.caBundle",
		"admissionregistration.k8s.io MutatingWebhookConfiguration .webhooks[]?.failurePolicy",
		"admissionregistration.k8s.io ValidatingWebhookConfiguration .webhooks[]?.clientConfig.caBundle",
		"admissionregistration.k8s.io ValidatingWebhookConfiguration .webhooks[]?.failurePolicy",
	}
	if diff := cmp.Diff(want, paths); diff != "" || !policy.SyncOptions.HasOption("RespectIgnoreDifferences=true") {
		t.Errorf("the webhooks: %s %v", diff, policy.SyncOptions)
	}
	if s := app.Spec.Sources; len(s) != 2 || s[0].Chart != "kora" || s[0].RepoURL != "ghcr.io/runkora/charts" || s[0].TargetRevision != kora.Version() ||
		s[1].Ref != "values" || s[1].Chart != "" || !slices.Equal(s[0].Helm.ValueFiles, []string{"$values/values/kora.yaml"}) {
		t.Errorf("the sources: %+v", s)
	}
	if !policy.Automated.Prune || !slices.Contains(app.Finalizers, "resources-finalizer.argocd.argoproj.io") || policy.Retry.Limit == 0 {
		t.Errorf("%+v %v", policy, app.Finalizers)
	}
}

// R40: nothing deletes a definition by the way, and the file says so in words
// that a reader finds: prune: false.
func TestDefinitionsAreNeverPruned(t *testing.T) {
	set := reference(t)
	for _, name := range []string{"apps/kora-crds.yaml", "apps/spire-crds.yaml", "apps/istio-base.yaml"} {
		app := application(t, set, name)
		if app.Spec.SyncPolicy.Automated == nil || app.Spec.SyncPolicy.Automated.Prune || len(app.Finalizers) > 0 || !app.Spec.SyncPolicy.SyncOptions.HasOption("ServerSideApply=true") {
			t.Errorf("%s: %+v %v", name, app.Spec.SyncPolicy, app.Finalizers)
		}
	}
	for _, f := range set.Files {
		if f.Path == "apps/kora-crds.yaml" && !strings.Contains(f.Text, "      prune: false\n") {
			t.Errorf("no prune: false in\n%s", f.Text)
		}
	}
	if tenants := application(t, set, "apps/kora-tenants.yaml"); !tenants.Spec.SyncPolicy.Automated.Prune {
		t.Error("tenants that were removed from the repository would stay")
	}
}

// R41: the parent never applies by server-side apply, also where an environment
// asks for more options.
func TestParentWaits(t *testing.T) {
	set := generated(t, releases.ExampleEnvironment()+"  syncOptions: [PruneLast=true]\n", releases.Pins{Version: "1.4.0"})
	parent := application(t, set, "app-of-apps.yaml")
	if o := parent.Spec.SyncPolicy.SyncOptions; o.HasOption("ServerSideApply=true") || !o.HasOption("PruneLast=true") {
		t.Errorf("%v", o)
	}
	if parent.Spec.Source.Path != "argocd/apps" || parent.Spec.Destination.Namespace != "argocd" {
		t.Errorf("%+v", parent.Spec)
	}
}

const least = `trustDomain: td.example.com
frontendHost: kora.example.com
argocd:
  apps: { url: "https://git.example.com/gitops.git" }
  values: { url: "https://git.example.com/values.git", path: clusters/a }
`

// R40: a theme is the fileParameter theme.document, and like the values file
// begins with the ref of the second source.
func TestThemeIsAFileParameter(t *testing.T) {
	helm := application(t, generated(t, least+"theme: theme.yaml\n", releases.Pins{Version: "1.4.0"}), "apps/kora.yaml").Spec.Sources[0].Helm
	if len(helm.FileParameters) != 1 || helm.FileParameters[0].Name != "theme.document" || helm.FileParameters[0].Path != "$values/clusters/a/theme.yaml" || helm.ValueFiles[0] != "$values/clusters/a/kora.yaml" {
		t.Errorf("%+v", helm)
	}
}

// R40: with a revision the namespace bears its label, and not the other one.
func TestRevisionLabelsTheNamespace(t *testing.T) {
	labels := application(t, generated(t, least+"istio: { revision: r1 }\n", releases.Pins{Version: "1.4.0"}), "apps/kora.yaml").Spec.SyncPolicy.ManagedNamespaceMetadata.Labels
	if _, both := labels["istio-injection"]; both || labels["istio.io/rev"] != "r1" {
		t.Errorf("%v", labels)
	}
}

// R38: with a lock the charts are OCI artifacts by digest.
func TestLockPinsByDigest(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	set := generated(t, least, releases.Pins{Version: "1.4.0", Digests: map[string]string{"kora": digest, "kora-crds": digest}})
	s := application(t, set, "apps/kora-crds.yaml").Spec.Source
	if s.RepoURL != "oci://ghcr.io/runkora/charts/kora-crds" || s.TargetRevision != digest || s.Chart != "" {
		t.Errorf("%+v", s)
	}
}

// R38: what only the app-of-apps needs is asked for by its name.
func TestMissingRepositoriesAreNamed(t *testing.T) {
	env, _ := environment.Read(source.NewFile("e.yaml", "trustDomain: a\nfrontendHost: b\nargocd: { syncOptions: [ServerSideApply=true] }\n"))
	g, err := releases.Reference(releases.Pins{Version: "1.4.0"})
	if err != nil {
		t.Fatal(err)
	}
	_, found := Generate(Input{Graph: g, Environment: env, File: "e.yaml"})
	var fields []string
	for _, f := range found {
		fields = append(fields, f.Field)
	}
	if diff := cmp.Diff([]string{"argocd.apps.url", "argocd.values.url", "argocd.syncOptions[0]"}, fields); diff != "" {
		t.Error(diff)
	}
}
