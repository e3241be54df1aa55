package lint

import (
	"path/filepath"
	"strings"
	"testing"
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
		coded(t, name, files, c.want)
	}
	kept := crd + "  annotations: { argocd.argoproj.io/sync-options: 'Prune=false,Delete=false' }\n"
	coded(t, "definitions that are kept", map[string]string{"app.yaml": application("x", final, git+"things", "", ""), "things/crd.yaml": kept}, "")
	forced := crd + "  annotations: { argocd.argoproj.io/sync-options: 'Force=true,Replace=true' }\n"
	coded(t, "a definition that is made anew", map[string]string{"crd.yaml": forced}, "C009")
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
		coded(t, c.name+" at "+c.at+" in wave "+c.wave, map[string]string{
			"a.yaml": application("kora-crds", wave("0"), helm+"kora-crds", "", ""),
			"b.yaml": application(c.name, wave(c.wave), git+"clusters/one", "", ""), c.at: tenant, "cm.yaml": health,
		}, c.want)
	}
	elsewhere := strings.Replace(health, "namespace: argocd", "namespace: other", 1)
	two := map[string]string{"a.yaml": application("a", wave("0"), git+"a", "", ""), "b.yaml": application("b", wave("1"), git+"b", "", ""), "cm.yaml": elsewhere}
	coded(t, "the argocd-cm of another namespace", two, "C001")
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
		coded(t, name, map[string]string{"p.yaml": c.parent, c.at: child}, c.want)
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
		coded(t, name, map[string]string{"a.yaml": c.text}, c.want)
	}
	coded(t, "an empty folder", nil, "C014")
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
		coded(t, options, map[string]string{"a.yaml": app, "things/big.yaml": big}, want)
	}
}
