package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora"
)

const pluginFolder = "../argocd/plugin"

// patched is Argo CD's own Deployment of its repo-server, out of its module, with
// the component of argocd/plugin as kustomize applies it; and the ConfigMap.
func patched(t *testing.T) (appsv1.Deployment, corev1.ConfigMap) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/argoproj/argo-cd/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	checkOut(t, folder, map[string]string{
		"kustomization.yaml":        "namespace: argocd\nresources: [deployment.yaml]\ncomponents: [plugin]\n",
		"deployment.yaml":           text(t, filepath.Join(strings.TrimSpace(string(out)), "manifests/base/repo-server/argocd-repo-server-deployment.yaml")),
		"plugin/plugin.yaml":        text(t, filepath.Join(pluginFolder, "plugin.yaml")),
		"plugin/sidecar.yaml":       text(t, filepath.Join(pluginFolder, "sidecar.yaml")),
		"plugin/kustomization.yaml": text(t, filepath.Join(pluginFolder, "kustomization.yaml")),
	})
	made, err := exec.CommandContext(t.Context(), "kustomize", folder).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, wordsOf(err))
	}
	var d appsv1.Deployment
	var c corev1.ConfigMap
	for document := range strings.SplitSeq(string(made), "\n---\n") {
		into := any(&d)
		if strings.Contains(document, "\nkind: ConfigMap\n") {
			into = &c
		}
		if err := yaml.UnmarshalStrict([]byte(document), into); err != nil {
			t.Fatal(err)
		}
	}
	return d, c
}

func wordsOf(err error) string {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}

// kustomizeBuild is kustomize itself as a program of its own: in kora's process
// its schema is kora's, which knows no Deployment.
func kustomizeBuild() {
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), os.Args[1])
	if err == nil {
		var text []byte
		if text, err = made.AsYaml(); err == nil {
			_, err = os.Stdout.Write(text)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func sidecarOf(t *testing.T, d appsv1.Deployment) corev1.Container {
	t.Helper()
	all := d.Spec.Template.Spec.Containers
	i := slices.IndexFunc(all, func(c corev1.Container) bool { return c.Name == "kora" })
	if i < 0 || len(all) != 2 {
		t.Fatalf("%d containers, kora is number %d", len(all), i)
	}
	return all[i]
}

// R43: the sidecar is what Argo CD asks of one: its user, its server as the
// entrypoint, the plugin's file where that looks for it, a /tmp of its own; in the
// version of this repository.
func TestSidecarIsWhatArgoCDAsksFor(t *testing.T) {
	d, config := patched(t)
	c := sidecarOf(t, d)
	if c.Image != "ghcr.io/runkora/kora:"+kora.Version() || !slices.Equal(c.Command, []string{"/var/run/argocd/argocd-cmp-server"}) || len(c.Args) > 0 ||
		*c.SecurityContext.RunAsUser != 999 || !*c.SecurityContext.ReadOnlyRootFilesystem || c.Resources.Limits.Memory().IsZero() {
		t.Errorf("%+v", c)
	}
	volumes := map[string]corev1.VolumeSource{}
	for _, v := range d.Spec.Template.Spec.Volumes {
		volumes[v.Name] = v.VolumeSource
	}
	at := map[string]string{}
	for _, m := range c.VolumeMounts {
		at[m.MountPath] = m.Name
		if v, ok := volumes[m.Name]; !ok || m.Name != "kora-cmp" && v.EmptyDir == nil {
			t.Errorf("the volume %s is not there, or another one", m.Name)
		}
	}
	for _, other := range d.Spec.Template.Spec.Containers {
		for _, m := range other.VolumeMounts {
			if other.Name != "kora" && m.Name == at["/tmp"] {
				t.Errorf("%s has the same /tmp", other.Name)
			}
		}
	}
	for _, path := range []string{"/var/run/argocd", "/home/argocd/cmp-server/plugins", "/home/argocd/cmp-server/config/plugin.yaml", "/tmp"} {
		if at[path] == "" {
			t.Errorf("nothing is mounted at %s", path)
		}
	}
	if v := volumes["kora-cmp"]; v.ConfigMap == nil || v.ConfigMap.Name != config.Name || config.Data["plugin.yaml"] != text(t, pluginFolder+"/plugin.yaml") {
		t.Errorf("the plugin's file is not in the ConfigMap %q that is mounted", config.Name)
	}
}

// R43: the pod with the sidecar keeps to Pod Security's restricted level.
func TestSidecarIsRestricted(t *testing.T) {
	d, _ := patched(t)
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	level := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	pod := d.Spec.Template
	for _, r := range evaluator.EvaluatePod(level, &pod.ObjectMeta, &pod.Spec) {
		if !r.Allowed {
			t.Errorf("%s: %s", r.ForbiddenReason, r.ForbiddenDetail)
		}
	}
}

// R43: the sidecar's memory is that of Argo CD's server and of two calls at a time
// that take all they may, as docs/cmp.md says; and no variable lets one take more.
func TestSidecarHoldsTwoCalls(t *testing.T) {
	d, _ := patched(t)
	c := sidecarOf(t, d)
	const server = 256 << 20
	if limit := c.Resources.Limits.Memory().Value(); limit < 2*mostMemory+server || limit >= 3*mostMemory+server {
		t.Errorf("the limit is %d MiB, a call takes %d", limit>>20, mostMemory>>20)
	}
	for _, e := range c.Env {
		if e.Name == "GOMEMLIMIT" || e.Name == "GOGC" {
			t.Errorf("%s is said of each process, and the limit is of all", e.Name)
		}
	}
	if doc := text(t, "../docs/cmp.md"); !strings.Contains(doc, fmt.Sprintf("%d MiB a call", mostMemory>>20)) || !strings.Contains(doc, fmt.Sprintf("%d MiB for Argo CD's server", server>>20)) {
		t.Error("docs/cmp.md has other numbers")
	}
}

// R43: the variables of the sidecar are settings that kora takes, with a time
// below that of Argo CD.
func TestSidecarSettingsAreTaken(t *testing.T) {
	d, _ := patched(t)
	var s cmpServer
	for _, e := range sidecarOf(t, d).Env {
		s.sidecar = append(s.sidecar, e.Name+"="+e.Value)
	}
	if got := s.generate(t, application{files: goodFiles(t)}); got.status != 0 {
		t.Errorf("%v: %s", s.sidecar, got.shown)
	}
}

// R43: the plugin's file calls the program itself and no shell, has no version
// that would become a part of its name, and hands no credentials of git on.
func TestPluginFileCallsTheProgram(t *testing.T) {
	p := ownPlugin(t)
	s := p.Spec
	lines, err := json.Marshal([][]string{s.Generate.Command, s.Generate.Args, s.Parameters.Dynamic.Command, s.Init.Command, s.Discover.Find.Command})
	if err != nil || string(lines) != `[["kora","cmp","generate"],null,["kora","cmp","parameters"],null,null]` {
		t.Errorf("%s", lines)
	}
	if p.APIVersion != "argoproj.io/v1alpha1" || p.Kind != "ConfigManagementPlugin" || p.Metadata.Name != "kora" || s.Version != "" || s.ProvideGitCreds || s.PreserveFileMode {
		t.Errorf("%+v", p)
	}
}

// R43: the image definition brings the same file to the same place.
func TestImageBringsThePluginFile(t *testing.T) {
	image := text(t, pluginFolder+"/Dockerfile")
	for _, line := range []string{
		"FROM ghcr.io/runkora/kora:" + kora.Version(), "USER 999", `ENTRYPOINT ["/var/run/argocd/argocd-cmp-server"]`,
		"COPY --chmod=0444 argocd/plugin/plugin.yaml /home/argocd/cmp-server/config/plugin.yaml",
	} {
		if !strings.Contains(image, "\n"+line+"\n") {
			t.Errorf("the image lacks %q", line)
		}
	}
	if _, err := os.Stat("../argocd/plugin/plugin.yaml"); err != nil {
		t.Error(err)
	}
}

// R43: the Application that docs/cmp.md shows is one of Argo CD's type, and the
// parameters that it gives are taken.
func TestApplicationOfTheDocumentIsTaken(t *testing.T) {
	var app argo.Application
	for _, block := range blocksOf(t, "../docs/cmp.md") {
		if strings.HasPrefix(block, "apiVersion: argoproj.io") && strings.Contains(block, "kind: Application\n") {
			if err := yaml.UnmarshalStrict([]byte(block), &app); err != nil {
				t.Fatal(err)
			}
		}
	}
	if app.Spec.Source == nil || app.Spec.Source.Plugin == nil || app.Spec.Source.Plugin.Name != ownPlugin(t).Metadata.Name {
		t.Fatalf("%+v", app.Spec.Source)
	}
	a := with(t, map[string]string{"values-production.yaml": "global: { trustDomain: production.example.com }\n"})
	a.plugin = *app.Spec.Source.Plugin
	if got := (cmpServer{}).generate(t, a); got.status != 0 || !strings.Contains(got.out, "production.example.com") {
		t.Errorf("%s", got.shown)
	}
}

// blocksOf are the indented blocks of a document, without their indent; an empty
// line within one does not end it.
func blocksOf(t *testing.T, path string) []string {
	t.Helper()
	var out []string
	open, empty := false, ""
	for line := range strings.Lines(text(t, path)) {
		code, indented := strings.CutPrefix(line, "    ")
		switch {
		case indented && open:
			out[len(out)-1] += empty + code
		case indented:
			out = append(out, code)
		case open && line == "\n":
			empty += line
			continue
		}
		open, empty = indented, ""
	}
	return out
}
