package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/internal/source"
	"github.com/runkora/kora/internal/testcluster/helm"
)

func koraPrints(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "kora", args...)
	cmd.Dir = dir
	return helm.Output(t, cmd)
}

// byTitle are the objects by kind, namespace and name: two ways may order them
// otherwise, and no two objects have one title.
func byTitle(t *testing.T, stream string) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for _, o := range helm.Objects(t, stream) {
		meta, _ := o["metadata"].(map[string]any)
		title := fmt.Sprint(o["apiVersion"], " ", o["kind"], " ", meta["namespace"], "/", meta["name"])
		if out[title] != nil {
			t.Fatalf("%s is there twice", title)
		}
		out[title] = o
	}
	return out
}

// byRender is kora render with a person's values and the environment file, which
// names the theme beside them.
func byRender(t *testing.T, repository string, in inputs) string {
	t.Helper()
	facts := filepath.Join(t.TempDir(), "facts.yaml")
	checkOut(t, filepath.Dir(facts), map[string]string{"facts.yaml": in.facts})
	return koraPrints(t, repository, "render", "-f", "values/kora.yaml", "-e", facts, "--kube-version", equalKube, "--include-crds")
}

// factsOf reads the environment file.
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

// byArgoCD renders a generated Application as Argo CD's repo-server does: helm template with its flags, in the order in which it gives them, after
// "$values" was replaced by the checkout of the other source.
func byArgoCD(t *testing.T, repository, version, release string) string {
	t.Helper()
	var app argo.Application
	if err := yaml.UnmarshalStrict([]byte(text(t, filepath.Join(repository, "argocd/apps", release+".yaml"))), &app); err != nil {
		t.Fatal(err)
	}
	var of argo.ApplicationSource
	for _, s := range app.Spec.GetSources() {
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
	args := []string{"template", chartAtHand(t, of.Chart), "--name-template", of.Helm.ReleaseName, "--namespace", app.Spec.Destination.Namespace, "--kube-version", equalKube}
	for _, p := range of.Helm.Parameters {
		t.Fatalf("a parameter nobody compares: %+v", p)
	}
	for _, p := range of.Helm.FileParameters {
		args = append(args, "--set-file", p.Name+"="+at(p.Path))
	}
	for _, name := range of.Helm.ValueFiles {
		args = append(args, "--values", at(name))
	}
	if values := of.Helm.ValuesYAML(); len(values) > 0 {
		object := filepath.Join(t.TempDir(), "values-object.yaml")
		checkOut(t, filepath.Dir(object), map[string]string{"values-object.yaml": string(values)})
		args = append(args, "--values", object)
	}
	return helm.Print(t, version, append(args, "--api-versions", "apps/v1", "--include-crds")...)
}

// byHelmfile reads the generated Helmfile as Helmfile does, as far as it says what
// Helm renders: the entry of one release, its values in order, and what it sets. The real Helmfile has tests of its own in generator/helmfile.
func byHelmfile(t *testing.T, repository, version, release string, in inputs) string {
	t.Helper()
	_, body, ok := strings.Cut(text(t, filepath.Join(repository, "helmfile/helmfile.yaml.gotmpl")), "\n---\n")
	if !ok {
		t.Fatal("the Helmfile has no second part")
	}
	facts := factsOf(t, in)
	facts.Folder = os.DirFS(filepath.Join(repository, "helmfile"))
	out, err := facts.Render("helmfile.yaml.gotmpl", body)
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
		if r.Name != release {
			continue
		}
		args := []string{"template", r.Name, chartAtHand(t, path.Base(r.Chart)), "--namespace", r.Namespace, "--kube-version", equalKube, "--include-crds"}
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
		return helm.Print(t, version, args...)
	}
	t.Fatalf("the Helmfile has no release %s", release)
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
