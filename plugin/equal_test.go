package main

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/internal/testcluster/mesh"
)

// This file compares the ways to one release (R44). Each begins with the same
// inputs: a person's kora.yaml, theme.yaml and patches, and the facts of a cluster.

const equalKube = "1.36.0"

// inputs are those of one example, as a repository of values holds them.
type inputs struct {
	values, theme, facts string
	patches              map[string]string
}

// examples of deploying-kora, and one with patches. A release lies over that of
// "kora"; Argo CD and the generated Helmfile read one kora.yaml, so it is merged.
func equalInputs(t *testing.T) map[string]inputs {
	t.Helper()
	const facts = "trustDomain: td.example.com\nfrontendHost: kora.example.com\n" +
		"argocd:\n  apps: { url: 'https://git.example.com/gitops.git' }\n  values: { url: 'https://git.example.com/gitops.git', path: values }\n"
	pools := facts + "workspace: { storageClassName: shared-files, accessModes: [ReadWriteMany], size: 20Gi }\nimageRegistry: mirror.example.com/runkora\n" +
		"nodePools:\n  sandbox: { nodeSelector: { workload-tier: sandbox }, tolerations: [{ key: workload-tier, operator: Equal, value: sandbox, effect: NoSchedule }] }\n"
	all := map[string]inputs{}
	entries, err := os.ReadDir("../testdata/releases")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		files := []string{goodValues, path.Join("../testdata/releases", e.Name(), "values.yaml")}
		if e.Name() == "own-gateway" {
			files = append(files, "../charts/kora/values/gateway-byo.yaml")
		}
		in := inputs{values: mergedValues(t, files...), facts: facts}
		if theme, err := os.ReadFile(path.Join("../testdata/releases", e.Name(), "theme.yaml")); err == nil {
			in.theme, in.facts = string(theme), facts+"theme: theme.yaml\n"
		}
		all[e.Name()] = in
	}
	all["facts"] = inputs{values: text(t, goodValues), facts: pools}
	patched := inputs{values: text(t, goodValues), facts: facts, patches: map[string]string{}}
	names, err := filepath.Glob("../testdata/patches/twenty/*.yaml")
	if err != nil || len(names) != 20 {
		t.Fatal(err, names)
	}
	for _, name := range names {
		patched.patches[strings.TrimSuffix(filepath.Base(name), ".yaml")] = text(t, name)
	}
	all["patches"] = patched
	return all
}

func mergedValues(t *testing.T, files ...string) string {
	t.Helper()
	all := map[string]any{}
	for _, f := range files {
		var one map[string]any
		if err := yaml.UnmarshalStrict([]byte(text(t, f)), &one); err != nil {
			t.Fatal(err)
		}
		over(all, one)
	}
	return asYAML(t, all)
}

// over lays one map over another, as Helm does with values files.
func over(all, one map[string]any) {
	for key, v := range one {
		below, ok := v.(map[string]any)
		if under, has := all[key].(map[string]any); ok && has {
			over(under, below)
			continue
		}
		all[key] = v
	}
}

func asYAML(t *testing.T, v any) string {
	t.Helper()
	out, err := yaml.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// way is one way from a checkout of the inputs to the manifests of the release
// kora. The folder holds what the two generators wrote, below helmfile and argocd,
// and a person's files where each of them reads them.
type way func(t *testing.T, repository string, in inputs) string

// R44: for the same inputs, kora render, the generated Helmfile, the generated
// Application as Argo CD renders its sources, and Argo CD with kora as its plugin
// give the same objects: all of them, field for field, in both versions of Helm.
func TestEveryWayGivesTheSameObjects(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Helm: left out by -short")
	}
	ways := map[string]way{
		"the Application, Helm 3": func(t *testing.T, r string, _ inputs) string { return byArgoCD(t, r, "helm-3", "kora") },
		"the Application, Helm 4": func(t *testing.T, r string, _ inputs) string { return byArgoCD(t, r, "helm-4", "kora") },
		"the Helmfile, Helm 3":    func(t *testing.T, r string, in inputs) string { return byHelmfile(t, r, "helm-3", "kora", in) },
		"the plugin":              byPlugin,
	}
	all := equalInputs(t)
	if len(all) < 9 {
		t.Fatalf("%d examples", len(all))
	}
	for name, in := range all {
		t.Run(name, func(t *testing.T) {
			repository := generatedRepository(t, in)
			want := byTitle(t, byRender(t, repository, in))
			if len(want) < 50 {
				t.Fatalf("%d objects", len(want))
			}
			for _, by := range slices.Sorted(maps.Keys(ways)) {
				if diff := cmp.Diff(want, byTitle(t, ways[by](t, repository, in))); diff != "" {
					t.Errorf("%s differs (-kora render +it):\n%s", by, diff)
				}
			}
		})
	}
}

// R44: so do the other releases whose charts are at hand: kora's definitions, and
// Istio with its charts as released. SPIRE's charts cannot be had offline; its
// values are compared in generator/argocd.
func TestEveryWayGivesTheSameOfOtherReleases(t *testing.T) {
	if testing.Short() {
		t.Skip("builds Helm: left out by -short")
	}
	in := equalInputs(t)["facts"]
	repository := generatedRepository(t, in)
	for release, chart := range map[string]string{"kora-crds": "kora-crds", "istio-base": "base", "istio-cni": "cni", "istiod": "istiod"} {
		t.Run(release, func(t *testing.T) {
			folder, err := filepath.Abs(chartAtHand(t, chart))
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"render", "--chart", folder, "--release-name", release, "--kube-version", equalKube, "--namespace", "istio-system", "--include-crds"}
			if release == "kora-crds" {
				args[len(args)-2] = "kora-system"
			} else {
				args = append(args, "-f", filled(t, repository, "helmfile/values/"+release+".yaml.gotmpl", in))
			}
			want := byTitle(t, koraPrints(t, repository, args...))
			if len(want) < 4 {
				t.Fatalf("%d objects", len(want))
			}
			for by, got := range map[string]string{
				"the Application, Helm 3": byArgoCD(t, repository, "helm-3", release), "the Application, Helm 4": byArgoCD(t, repository, "helm-4", release),
				"the Helmfile": byHelmfile(t, repository, "helm-3", release, in),
			} {
				if diff := cmp.Diff(want, byTitle(t, got)); diff != "" {
					t.Errorf("%s differs (-kora render +it):\n%s", by, diff)
				}
			}
		})
	}
}

// chartAtHand is the folder of a chart by the name that it has in its repository.
func chartAtHand(t *testing.T, name string) string {
	t.Helper()
	switch name {
	case "kora", "kora-crds":
		return filepath.Join("../charts", name)
	case "base":
		return filepath.Join(mesh.IstioCharts(t), "base")
	case "cni":
		return filepath.Join(mesh.IstioCharts(t), "istio-cni")
	case "istiod":
		return filepath.Join(mesh.IstioCharts(t), "istio-control", "istio-discovery")
	}
	t.Fatalf("the chart %s is not at hand", name)
	return ""
}

// generatedRepository runs both generators on the facts, and lays a person's files
// where they are read.
func generatedRepository(t *testing.T, in inputs) string {
	t.Helper()
	repository := t.TempDir()
	files := map[string]string{"facts.yaml": in.facts}
	if in.theme != "" {
		files["helmfile/values/theme.yaml"], files["values/theme.yaml"] = in.theme, in.theme
	}
	checkOut(t, repository, files)
	for _, of := range []string{"helmfile", "argocd"} {
		koraPrints(t, repository, "generate", of, "-e", "facts.yaml", "-o", of)
	}
	values := in.values
	if len(in.patches) > 0 {
		values = withPatches(t, in)
	}
	for _, at := range []string{"helmfile/values", "values"} {
		checkOut(t, filepath.Join(repository, at), map[string]string{"kora.yaml": values})
	}
	return repository
}

// withPatches are the values with the patches in them, for whoever reads no folder.
func withPatches(t *testing.T, in inputs) string {
	t.Helper()
	var values map[string]any
	if err := yaml.UnmarshalStrict([]byte(in.values), &values); err != nil {
		t.Fatal(err)
	}
	entries := map[string]any{}
	for key, text := range in.patches {
		var entry any
		if err := yaml.UnmarshalStrict([]byte(text), &entry); err != nil {
			t.Fatal(err)
		}
		entries[key] = entry
	}
	over(values, map[string]any{"agents": map[string]any{"manifestPatches": entries}})
	return asYAML(t, values)
}
