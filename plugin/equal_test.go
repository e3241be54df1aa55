package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/internal/testcluster"
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
		"the Application, Helm 3": func(t *testing.T, r string, _ inputs) string { return byArgoCD(t, r, "helm-3") },
		"the Application, Helm 4": func(t *testing.T, r string, _ inputs) string { return byArgoCD(t, r, "helm-4") },
		"the Helmfile, Helm 3":    func(t *testing.T, r string, in inputs) string { return byHelmfile(t, r, "helm-3", in) },
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

// generatedRepository runs both generators on the facts, and lays a person's files
// where they are read.
func generatedRepository(t *testing.T, in inputs) string {
	t.Helper()
	repository := t.TempDir()
	checkOut(t, repository, map[string]string{"facts.yaml": in.facts})
	for _, of := range []string{"helmfile", "argocd"} {
		koraPrints(t, repository, "generate", of, "-e", "facts.yaml", "-o", of)
	}
	values := in.values
	if len(in.patches) > 0 {
		values = withPatches(t, in)
	}
	files := map[string]string{"kora.yaml": values}
	if in.theme != "" {
		files["theme.yaml"] = in.theme
	}
	for _, at := range []string{"helmfile/values", "values"} {
		checkOut(t, filepath.Join(repository, at), files)
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

func koraPrints(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "kora", args...)
	cmd.Dir = dir
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("kora %s: %v\n%s", strings.Join(args, " "), err, words.String())
	}
	return string(out)
}

func helmPrints(t *testing.T, version string, args ...string) string {
	t.Helper()
	folder, err := testcluster.Tool(t.Context(), version)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "helm"), args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "KUBECONFIG=" + os.DevNull, "HOME=" + home, "HELM_CACHE_HOME=" + home, "HELM_CONFIG_HOME=" + home, "HELM_DATA_HOME=" + home}
	var words strings.Builder
	cmd.Stderr = &words
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("helm %s: %v\n%s", strings.Join(args, " "), err, words.String())
	}
	return string(out)
}

// byTitle are the objects by kind, namespace and name: two ways may order them
// otherwise, and no two objects have one title.
func byTitle(t *testing.T, stream string) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for _, o := range documents(t, stream) {
		meta, _ := o["metadata"].(map[string]any)
		title := fmt.Sprint(o["apiVersion"], " ", o["kind"], " ", meta["namespace"], "/", meta["name"])
		if out[title] != nil {
			t.Fatalf("%s is there twice", title)
		}
		out[title] = o
	}
	return out
}

// byRender is kora render with a person's values, the facts as the Helmfile has
// them, and the theme.
func byRender(t *testing.T, repository string, in inputs) string {
	t.Helper()
	args := []string{"render", "-f", "values/kora.yaml", "-f", filled(t, repository, "helmfile/values/kora.facts.yaml.gotmpl", in),
		"--kube-version", equalKube, "--namespace", "kora-system", "--include-crds"}
	if in.theme != "" {
		args = append(args, "--set-file", "theme.document=values/theme.yaml")
	}
	return koraPrints(t, repository, args...)
}

// facts reads the environment file.
func factsOf(t *testing.T, in inputs) *environment.Renderer {
	t.Helper()
	env, found := environment.Read(source.NewFile("facts.yaml", in.facts))
	if found.Refused() {
		t.Fatal(found)
	}
	return env.NewRenderer()
}

// filled fills a template of the repository in, and returns its file's name.
func filled(t *testing.T, repository, name string, in inputs) string {
	t.Helper()
	out, err := factsOf(t, in).Render(name, text(t, filepath.Join(repository, name)))
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "filled.yaml")
	checkOut(t, filepath.Dir(to), map[string]string{"filled.yaml": out})
	return to
}

// byArgoCD renders the generated Application of kora as Argo CD's repo-server
// does: helm template with its flags, in the order in which it gives them, after
// "$values" was replaced by the checkout of the other source.
func byArgoCD(t *testing.T, repository, version string) string {
	t.Helper()
	var app argo.Application
	if err := yaml.UnmarshalStrict([]byte(text(t, filepath.Join(repository, "argocd/apps/kora.yaml"))), &app); err != nil {
		t.Fatal(err)
	}
	var of argo.ApplicationSource
	for _, s := range app.Spec.Sources {
		if s.Chart != "" {
			of = s
		} else if s.Ref != "values" || s.Path != "" {
			t.Fatalf("another source: %+v", s)
		}
	}
	at := func(name string) string {
		rest, ok := strings.CutPrefix(name, "$values/")
		if !ok {
			t.Fatalf("%s is in no other source", name)
		}
		return filepath.Join(repository, rest)
	}
	args := []string{"template", "../charts/" + of.Chart, "--name-template", of.Helm.ReleaseName, "--namespace", app.Spec.Destination.Namespace, "--kube-version", equalKube}
	for _, p := range of.Helm.Parameters {
		t.Fatalf("a parameter nobody compares: %+v", p)
	}
	for _, p := range of.Helm.FileParameters {
		args = append(args, "--set-file", p.Name+"="+at(p.Path))
	}
	for _, name := range of.Helm.ValueFiles {
		args = append(args, "--values", at(name))
	}
	object := filepath.Join(t.TempDir(), "values-object.yaml")
	checkOut(t, filepath.Dir(object), map[string]string{"values-object.yaml": string(of.Helm.ValuesYAML())})
	return helmPrints(t, version, append(args, "--values", object, "--api-versions", "apps/v1", "--include-crds")...)
}

// byHelmfile reads the generated Helmfile as Helmfile does, as far as it says what
// Helm renders: the entry of the release kora, its values in order, and what it
// sets. The real Helmfile has tests of its own in generator/helmfile.
func byHelmfile(t *testing.T, repository, version string, in inputs) string {
	t.Helper()
	_, body, ok := strings.Cut(text(t, filepath.Join(repository, "helmfile/helmfile.yaml.gotmpl")), "\n---\n")
	if !ok {
		t.Fatal("the Helmfile has no second part")
	}
	out, err := factsOf(t, in).Render("helmfile.yaml.gotmpl", body)
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Releases []struct {
			Name, Namespace, Chart string
			Values                 []string
			Set                    []struct{ Name, File, Value string }
		}
	}
	if err := yaml.Unmarshal([]byte(out), &state); err != nil {
		t.Fatal(err)
	}
	for _, r := range state.Releases {
		if r.Name != "kora" {
			continue
		}
		args := []string{"template", r.Name, "../charts/" + path.Base(r.Chart), "--namespace", r.Namespace, "--kube-version", equalKube, "--include-crds"}
		for _, name := range r.Values {
			if name = "helmfile/" + name; path.Ext(name) == ".gotmpl" {
				args = append(args, "--values", filled(t, repository, name, in))
			} else {
				args = append(args, "--values", filepath.Join(repository, name))
			}
		}
		for _, s := range r.Set {
			if s.File == "" || s.Value != "" {
				t.Fatalf("a setting nobody compares: %+v", s)
			}
			args = append(args, "--set-file", s.Name+"="+filepath.Join(repository, "helmfile", s.File))
		}
		return helmPrints(t, version, args...)
	}
	t.Fatal("the Helmfile has no release kora")
	return ""
}

// byPlugin is Argo CD with kora as its plugin, on a folder with a person's files
// as they are, patches in files of their own, and the facts as a parameter.
func byPlugin(t *testing.T, repository string, in inputs) string {
	t.Helper()
	a := application{files: map[string]string{"kora.yaml": in.values}}
	if in.theme != "" {
		a.files["theme.yaml"] = in.theme
	}
	for key, text := range in.patches {
		a.files["patches/"+key+".yaml"] = text
	}
	a.plugin = given(parameter("values", text(t, filled(t, repository, "helmfile/values/kora.facts.yaml.gotmpl", in))))
	got := cmpServer{}.generate(t, a)
	if got.status != 0 {
		t.Fatal(got.shown)
	}
	return got.out
}
