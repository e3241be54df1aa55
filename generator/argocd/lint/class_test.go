package lint

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// codes are those that a folder of files is told, each once, in order.
func codes(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	_, found := Lint(dir)
	var out []string
	for _, f := range found {
		if f.Message == "" || f.File == "" {
			t.Errorf("%+v", f)
		}
		out = append(out, string(f.Code))
	}
	slices.Sort(out)
	return strings.TrimPrefix(strings.Join(slices.Compact(out), " "), "KORA-")
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

// R40: definitions are known by chart, git path, release, name, or the folder's
// content, and each way of deleting them is told.
func TestDefinitionsAreKnownAndKept(t *testing.T) {
	final := ", finalizers: [resources-finalizer.argocd.argoproj.io]"
	for name, c := range map[string]struct {
		meta, src, policy, at string
		want                  string
	}{
		"x1":        {final, git + "charts/kora-crds", "", "", "C009"},
		"x2":        {"", git + "deploy, helm: { releaseName: kora-crds }", "automated: { prune: true }", "", "C009"},
		"some-crds": {"", git + "deploy", "automated: { prune: true }", "", "C009"},
		"x3":        {"", git + "things", "automated: { prune: true }", "things/crd.yaml", "C009"},
		"x4":        {final, git + "clusters/things", "", "clusters/things/deep/crd.yaml", "C009"},
		"x5":        {"", helm + "kora-crds", "syncOptions: [Replace=true]", "", "C009"},
		"x6":        {"", helm + "kora-crds", "syncOptions: [Force=true]", "", "C009"},
		"x7":        {"", helm + "kora-crds", "automated: { enabled: false, prune: true }", "", ""},
		"x8":        {final, git + "things", "", "others/crd.yaml", ""},
		"x9":        {"", helm + "web", "syncOptions: [Replace=true]", "", ""},
	} {
		files := map[string]string{"app.yaml": application(name, c.meta, c.src, "", c.policy)}
		if c.at != "" {
			files[c.at] = crd
		}
		if got := codes(t, files); got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
	kept := crd + "  annotations: { argocd.argoproj.io/sync-options: 'Prune=false,Delete=false' }\n"
	if got := codes(t, map[string]string{"app.yaml": application("x", final, git+"things", "", ""), "things/crd.yaml": kept}); got != "" {
		t.Errorf("definitions that are kept: %q", got)
	}
	forced := crd + "  annotations: { argocd.argoproj.io/sync-options: 'Force=true,Replace=true' }\n"
	if got := codes(t, map[string]string{"crd.yaml": forced}); got != "C009" {
		t.Errorf("a definition that is made anew: %q", got)
	}
}

// R40, R41: tenants wait for the definitions, by their name or by what they are.
func TestTenantsAfterDefinitions(t *testing.T) {
	wave := func(n string) string { return ", annotations: { argocd.argoproj.io/sync-wave: '" + n + "' }" }
	tenant := "apiVersion: runkora.io/v1alpha1\nkind: KoraTenant\nmetadata: { name: acme }\n"
	health := "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: argocd-cm, namespace: argocd }\ndata: { resource.customizations.health.argoproj.io_Application: 'return {}' }\n"
	for _, c := range []struct{ name, at, wave, want string }{
		{"kora-tenants", "elsewhere/t.yaml", "0", "C010"},
		{"customers", "clusters/one/t.yaml", "0", "C010"},
		{"customers", "elsewhere/t.yaml", "0", ""},
		{"customers", "clusters/one/t.yaml", "1", ""},
	} {
		got := codes(t, map[string]string{
			"a.yaml": application("kora-crds", wave("0"), helm+"kora-crds", "", ""),
			"b.yaml": application(c.name, wave(c.wave), git+"clusters/one", "", ""), c.at: tenant, "cm.yaml": health,
		})
		if got != c.want {
			t.Errorf("%+v: told %q", c, got)
		}
	}
	elsewhere := strings.Replace(health, "namespace: argocd", "namespace: other", 1)
	two := map[string]string{"a.yaml": application("a", wave("0"), git+"a", "", ""), "b.yaml": application("b", wave("1"), git+"b", "", ""), "cm.yaml": elsewhere}
	if got := codes(t, two); got != "C001" {
		t.Errorf("the argocd-cm of another namespace: %q", got)
	}
}

// R40: what an Application has to have, and what it has twice or misspells.
func TestShapeAndNames(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no project":      {strings.Replace(application("a", "", git+"a", "", ""), "  project: default\n", "", 1), "C013"},
		"no version":      {application("a", "", "repoURL: https://charts.example.com, chart: web", "", ""), "C013"},
		"an option":       {application("a", "", git+"a", "", "syncOptions: [ServerSideAply=true]"), "F001"},
		"a value":         {application("a", "", git+"a", "", "syncOptions: [PruneLast=yes]"), "C013"},
		"options":         {application("a", "", git+"a", "", "syncOptions: [PrunePropagationPolicy=orphan, Delete=confirm]"), ""},
		"an annotation":   {application("a", ", annotations: { argocd.argoproj.io/syncwave: '1' }", git+"a", "", ""), "F001"},
		"its prefix":      {application("a", ", annotations: { argo-cd.argoproj.io/sync-wave: '1' }", git+"a", "", ""), "F001"},
		"somebody else's": {application("a", ", annotations: { example.com/sync-waves: '1' }", git+"a", "", ""), ""},
		"no number":       {application("a", ", annotations: { argocd.argoproj.io/sync-wave: first }", git+"a", "", ""), "C010"},
		"a fraction":      {application("a", ", annotations: { argocd.argoproj.io/sync-wave: '1.5' }", git+"a", "", ""), "C010"},
		"of an object":    {crd + "  annotations: { argocd.argoproj.io/sync-option: Prune=false }\n", "F001"},
		"newer fields":    {application("a", "", git+"a, kustomize: { ignoreMissingComponents: true }", "", "automated: { enabled: true }, retry: { refresh: true }"), ""},
		"one ref twice": {strings.Replace(application("a", "", git+"a", "  sources: [{ repoURL: https://a.example.com/x.git, ref: v }, { repoURL: https://b.example.com/x.git, ref: v }]\n", ""),
			"  source: { "+git+"a }\n", "", 1), "C007"},
	} {
		if got := codes(t, map[string]string{"a.yaml": c.text}); got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}

// R40, R41: a parent is known although its children name their own namespace;
// Argo CD that manages itself is none.
func TestParents(t *testing.T) {
	child := application("a", ", annotations: { argocd.argoproj.io/sync-wave: '0' }", git+"a", "", "")
	side := "syncOptions: [ServerSideApply=true]"
	for name, c := range map[string]struct {
		parent, at, want string
	}{
		"by its folder":   {application("p", "", git+"clusters/children", "", side), "clusters/children/a.yaml", "C002"},
		"by its name":     {application("p", "", git+"platform/apps", "", side), "a.yaml", "C002"},
		"root":            {application("root", "", git+"platform", "", side), "a.yaml", "C002"},
		"another":         {application("web", "", git+"platform/web", "", side), "a.yaml", ""},
		"in Argo CD's":    {strings.Replace(application("p", "", git+"platform", "", side), "namespace: apps", "namespace: argocd", 1), "a.yaml", "C002"},
		"Argo CD itself":  {strings.Replace(application("argo-cd", "", git+"infra/argo-cd", "", side), "namespace: apps", "namespace: argocd", 1), "a.yaml", ""},
		"its own, by dir": {strings.Replace(application("self", "", git+"infra/argocd", "", side), "namespace: apps", "namespace: argocd", 1), "a.yaml", ""},
	} {
		if got := codes(t, map[string]string{"p.yaml": c.parent, c.at: child}); got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
}

// R40: lists are looked into, and what holds nothing to check is told.
func TestListsAndNothing(t *testing.T) {
	labels := "managedNamespaceMetadata: { labels: { a: b } }"
	item := func(kind string) string {
		text := application("a", "", git+"a", "", labels)
		if kind == "" {
			text = strings.TrimPrefix(text, "apiVersion: argoproj.io/v1alpha1\nkind: Application\n")
		}
		return "items:\n- " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
	}
	app := application("a", "", git+"a", "", "")
	for name, c := range map[string]struct{ text, want string }{
		"List":            {"apiVersion: v1\nkind: List\n" + item("x"), "C004"},
		"ApplicationList": {"apiVersion: argoproj.io/v1alpha1\nkind: ApplicationList\n" + item(""), "C004"},
		"a misspelt kind": {strings.Replace(app, "kind: Application", "kind: Aplication", 1), "C013"},
		"in lower case":   {strings.Replace(app, "kind: Application", "kind: application", 1), "C013"},
		"other version":   {strings.Replace(app, "v1alpha1", "v1", 1), "C013"},
		"misspelt group":  {strings.Replace(app, "argoproj.io", "argoprj.io", 1), "C013"},
		"another's":       {"apiVersion: app.k8s.io/v1beta1\nkind: Application\nmetadata: { name: a }\n", "C014"},
		"no objects":      {"# nothing\n", "C014"},
		"an empty list":   {"apiVersion: v1\nkind: List\nitems: []\n", "C014"},
		"a Deployment":    {"apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\n", "C014"},
	} {
		if got := codes(t, map[string]string{"a.yaml": c.text}); got != c.want {
			t.Errorf("%s: told %q, want %q", name, got, c.want)
		}
	}
	if got := codes(t, nil); got != "C014" {
		t.Errorf("an empty folder: %q", got)
	}
}

// R40: a patch of an ApplicationSet's template is judged where it stands.
func TestPatchesOfSetsAreJudged(t *testing.T) {
	set := strings.Replace(appSet, "      annotations:\n        argocd.argoproj.io/sync-wave: \"1\"\n", "", 1)
	dir := t.TempDir()
	put(t, filepath.Join(dir, "set.yaml"), set+"  templatePatch: |\n    {{- if .prune }}\n    spec:\n      syncPolicy:\n        managedNamespaceMetadata: { labels: { a: '{{ .a }}' } }\n    {{- end }}\n")
	if got := strings.Join(told(t, dir), "|"); got != "set.yaml managedNamespaceMetadata KORA-C004" {
		t.Errorf("%s", got)
	}
}

// R40: server-side apply of the Application keeps no copy in an annotation.
func TestBigObjectsOfServerSideApply(t *testing.T) {
	big := crd + "spec: { text: '" + strings.Repeat("x", tooBig) + "' }\n"
	for options, want := range map[string]string{"ServerSideApply=true": "", "PruneLast=true": "C003"} {
		app := application("a", "", git+"things", "", "syncOptions: ["+options+"]")
		if got := codes(t, map[string]string{"a.yaml": app, "things/big.yaml": big}); got != want {
			t.Errorf("%s: told %q", options, got)
		}
	}
}
