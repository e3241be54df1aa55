package main

import (
	"strings"
	"testing"
)

// R43: what Argo CD takes for no object of the application is no answer: of a list it
// takes what is in it, hooks and tests run and go, and what is skipped is not there.
func TestPluginRefusesWhatArgoCDWouldPruneFor(t *testing.T) {
	const object = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  annotations:\n    x: one\n"
	chart := func(template string) application {
		return with(t, map[string]string{
			"kora.yaml": "a: 1\n", "chart/Chart.yaml": "apiVersion: v2\nname: x\nversion: 0.1.0\n", "chart/templates/a.yaml": template,
		}, parameter("chart", "./chart"))
	}
	note := func(text string) string { return object + "    " + text + "\n" }
	item := func(template string) string {
		return "apiVersion: v1\nkind: List\nitems:\n  - " + strings.ReplaceAll(strings.TrimSpace(template), "\n", "\n    ") + "\n"
	}
	for name, template := range map[string]string{
		"empty list":        "apiVersion: v1\nkind: List\nitems: []\n",
		"list of nothing":   "apiVersion: v1\nkind: List\nitems: null\n",
		"list of its kind":  "apiVersion: v1\nkind: ConfigMapList\nitems: []\n",
		"hook":              note("helm.sh/hook: pre-install"),
		"hooks":             note("helm.sh/hook: pre-install,post-upgrade"),
		"test":              note("helm.sh/hook: test"),
		"skip":              note("argocd.argoproj.io/hook: Skip"),
		"sync":              note("argocd.argoproj.io/hook: PreSync"),
		"list of hooks":     item(note("argocd.argoproj.io/hook: Skip")),
		"of all these each": note("helm.sh/hook: test") + "---\n" + note("argocd.argoproj.io/hook: Skip") + "---\napiVersion: v1\nkind: List\nitems: []\n",
	} {
		got := cmpServer{}.generate(t, chart(template))
		if got.status != 1 || !strings.Contains(got.words, "KORA-M008") {
			t.Errorf("%s: status %d\n%s%s", name, got.status, got.out, got.words)
		}
	}
	for name, template := range map[string]string{
		"an object":         object,
		"in a list":         item(object),
		"besides a hook":    note("helm.sh/hook: test") + "---\n" + strings.Replace(object, "name: a", "name: b", 1),
		"other annotations": note("argocd.argoproj.io/hook-delete-policy: HookSucceeded"),
	} {
		if got := (cmpServer{}).generate(t, chart(template)); got.status != 0 || !strings.Contains(got.out, "kind: ConfigMap") {
			t.Errorf("%s: status %d\n%s", name, got.status, got.words)
		}
	}
}
