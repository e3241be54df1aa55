package helmfile

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/source"
)

// R38: charts come from the environment's repositories, an air-gapped mirror or
// a registry alike, and by digest with a lock; one that cannot serve it stops.
func TestChartsComeFromTheEnvironment(t *testing.T) {
	f := read(t, releases.Pins{Version: "1.4.0"}, least+"charts: { istio: oci://mirror.example.com/istio/, spire: https://mirror.example.com/spire }\ntheme: theme.yaml\n")
	got := map[string]string{}
	for _, r := range f.Repositories {
		got[r.Name] = r.URL
		if r.OCI != (r.Name != "spiffe") {
			t.Errorf("%s: oci %t", r.Name, r.OCI)
		}
	}
	want := map[string]string{"istio": "mirror.example.com/istio", "spiffe": "https://mirror.example.com/spire", "runkora": "ghcr.io/runkora/charts"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if last := f.Releases[6]; last.Name != "kora" || len(last.Set) != 1 || last.Set[0].File != "values/theme.yaml" {
		t.Errorf("the theme: %+v", last)
	}
	for _, r := range f.Releases {
		if !r.DisableValidationOnInstall {
			t.Errorf("%s: helm-diff would ask a blank cluster for kinds it does not know", r.Name)
		}
	}
}

func TestDigestOfALockIsPinned(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	pins := releases.Pins{Version: "1.4.0", Digests: map[string]string{"kora": digest, "kora-crds": digest}}
	for _, r := range read(t, pins, least).Releases {
		if strings.HasPrefix(r.Name, "kora") && (r.Version != "1.4.0" || r.Chart != "oci://ghcr.io/runkora/charts/"+r.Name+"@"+digest) {
			t.Errorf("%s: %s %s", r.Name, r.Chart, r.Version)
		}
	}
	if out, err := fill(t, pins, least+"charts: { kora: https://mirror.example.com/kora }\n"); err == nil || !strings.Contains(err.Error(), "locked by its digest") {
		t.Errorf("%v\n%s", err, out)
	}
}

// R38: a chart of a registry is named in full, with its digest where there is one,
// since Helmfile keeps what it pulled by that name; one of an index by its alias.
func TestChartOfARegistryIsNamedInFull(t *testing.T) {
	facts := least + "charts: { kora: oci://mirror.example.com:5000/kora/, istio: oci://mirror.example.com/istio }\n"
	want := map[string]string{
		"spire-crds": "spiffe/spire-crds", "spire": "spiffe/spire",
		"istio-base": "oci://mirror.example.com/istio/base", "istio-cni": "oci://mirror.example.com/istio/cni", "istiod": "oci://mirror.example.com/istio/istiod",
		"kora-crds": "oci://mirror.example.com:5000/kora/kora-crds", "kora": "oci://mirror.example.com:5000/kora/kora",
	}
	digest := "sha256:" + strings.Repeat("a", 64)
	for _, behind := range []string{"", "@" + digest} {
		pins := releases.Pins{Version: "1.4.0"}
		if behind != "" {
			pins.Digests = map[string]string{"kora": digest, "kora-crds": digest}
		}
		got := map[string]string{}
		for _, r := range read(t, pins, facts).Releases {
			if got[r.Name] = r.Chart; strings.HasPrefix(r.Name, "kora") {
				got[r.Name] = strings.TrimSuffix(r.Chart, behind)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", behind, diff)
		}
	}
}

// R15, R39: a Helmfile that is filled in with wrong facts writes nothing, and
// tells all that is wrong, with what a lock makes wrong.
func TestWrongFactsStopTheHelmfile(t *testing.T) {
	digest := "sha256:" + strings.Repeat("a", 64)
	set := generated(t, releases.Pins{Version: "1.4.0", Digests: map[string]string{"kora": digest, "kora-crds": digest}})
	env, _ := environment.Read(source.NewFile("e.yaml", least+"charts: { kora: https://mirror.example.com/kora }\n"))
	env.Istio.Revision, env.Workspace.AccessModes, env.ArgoCD.Retry.Limit = "{{ r }}", []string{"ReadWriteMay"}, -5
	out, err := fillIn(t, set, env, onDisk(set))
	if err == nil || out != "" {
		t.Fatalf("%v\n%s", err, out)
	}
	_, said, _ := strings.Cut(err.Error(), "the environment is wrong:\n")
	want := []string{
		"  workspace.accessModes[0] must be one of ReadWriteOnce, ReadWriteMany", "  istio.revision must be a DNS label such as kora-system", "  argocd.retry.limit must be -1 for no limit, or a number from 0 of at most 15 digits",
		"  charts.kora must be an oci:// URL: the chart kora-crds is locked by its digest, which no other repository can serve",
		"  charts.kora must be an oci:// URL: the chart kora is locked by its digest, which no other repository can serve",
	}
	if diff := cmp.Diff(want, strings.Split(said, "\n")); diff != "" {
		t.Error(diff)
	}
}
