package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// reference is a copy of what kora generates, in a folder of its own.
func reference(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "apps"), os.DirFS("../../../argocd/apps")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"app-of-apps.yaml", "argocd-cm-patch.yaml"} {
		text, err := os.ReadFile(filepath.Join("../../../argocd", name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name), string(text))
	}
	return dir
}

func put(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// told is what a run says, one line each: file, the line's text at the place,
// and the code.
func told(t testing.TB, dir string) []string {
	t.Helper()
	_, found := Lint(dir)
	var out []string
	for _, f := range found.Sorted() {
		at, _ := filepath.Rel(dir, f.File)
		word := "?"
		if text, err := os.ReadFile(f.File); err == nil && f.Line > 0 {
			line := strings.Split(string(text), "\n")[f.Line-1]
			word, _, _ = strings.Cut(strings.TrimSpace(string([]rune(line)[f.Column-1:])), ":")
		}
		out = append(out, fmt.Sprintf("%s %s %s", at, word, f.Code))
	}
	return out
}

// linted is what a folder of files is told, in order. Each fault says what and where.
func linted(t *testing.T, files map[string]string) faults.List {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	_, found := Lint(dir)
	for _, f := range found {
		if f.Message == "" || f.File == "" || f.Line == 0 && f.Code != faults.NothingToLint {
			t.Errorf("%+v", f)
		}
	}
	return found.Sorted()
}

// coded asks that a folder of files is told these codes, each once, in order.
func coded(t *testing.T, name string, files map[string]string, want string) {
	t.Helper()
	var out []string
	for _, f := range linted(t, files) {
		out = append(out, string(f.Code))
	}
	slices.Sort(out)
	if got := strings.TrimPrefix(strings.Join(slices.Compact(out), " "), "KORA-"); got != want {
		t.Errorf("%s: told %q, want %q", name, got, want)
	}
}

// graded asks that it is told these faults, each with its code and severity, in the
// order of their places.
func graded(t *testing.T, name string, files map[string]string, want string) {
	t.Helper()
	var out []string
	for _, f := range linted(t, files) {
		out = append(out, string(f.Severity)+" "+strings.TrimPrefix(string(f.Code), "KORA-"))
	}
	if got := strings.Join(out, ", "); got != want {
		t.Errorf("%s: told %q, want %q", name, got, want)
	}
}

// application is one with further lines of metadata, source, spec and syncPolicy.
func application(name, meta, src, spec, policy string) string {
	return fmt.Sprintf("apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: %s, namespace: argocd%s }\nspec:\n  project: default\n  destination: { server: https://kubernetes.default.svc, namespace: apps }\n  source: { %s }\n%s  syncPolicy: { %s }\n", name, meta, src, spec, policy)
}

const (
	git  = "repoURL: https://git.example.com/x.git, targetRevision: main, path: "
	helm = "repoURL: registry.example.com/charts, targetRevision: 1.0.0, chart: "
	crd  = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: things.example.com\n"
)

const appSet = `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: all, namespace: argocd }
spec:
  generators: [{ list: { elements: [{ n: a }, { n: b }] } }]
  template:
    metadata:
      name: '{{n}}'
      annotations:
        argocd.argoproj.io/sync-wave: "1"
    spec:
      project: default
      source: { repoURL: https://git.example.com/x.git, path: '{{n}}', targetRevision: main }
      destination: { server: https://kubernetes.default.svc, namespace: x }
`
