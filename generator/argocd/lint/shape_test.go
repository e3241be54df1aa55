package lint

import (
	"path/filepath"
	"strings"
	"testing"
)

// graded are the faults of a folder, each with its code and severity, in order.
func graded(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		put(t, filepath.Join(dir, name), text)
	}
	_, found := Lint(dir)
	var out []string
	for _, f := range found.Sorted() {
		if f.Line == 0 || f.Message == "" {
			t.Errorf("%+v", f)
		}
		out = append(out, string(f.Severity)+" "+strings.TrimPrefix(string(f.Code), "KORA-"))
	}
	return strings.Join(out, ", ")
}

// R40: what does not go together in one source, and a destination that is none.
func TestSourcesGoTogether(t *testing.T) {
	chart := "repoURL: https://charts.example.com, chart: web, targetRevision: "
	for src, want := range map[string]string{
		chart + "1.2.3":           "",
		chart + "'>=1.0.0'":       "",
		chart + "'*'":             "",
		chart + "HEAD":            "error C013",
		chart + "1.2.3, path: a":  "warning C013",
		chart + "1.2.3, path: ''": "",
		"repoURL: oci://registry.example.com/charts, chart: web, targetRevision: 1.2.3":     "warning C013",
		"repoURL: registry.example.com/charts, chart: web, targetRevision: 1.2.3":           "",
		"repoURL: oci://registry.example.com/charts/web, path: ., targetRevision: 1.2.3":    "",
		git + "a, helm: { releaseName: x }, kustomize: { namePrefix: x }":                   "error C013",
		git + "a, helm: { releaseName: x }, directory: { recurse: true }":                   "error C013",
		git + "a, kustomize: { namePrefix: x }, plugin: { name: x }":                        "error C013",
		git + "a, helm: {}, kustomize: { namePrefix: x }":                                   "",
		git + "a, directory: { recurse: false, jsonnet: {} }, kustomize: { namePrefix: x }": "",
		git + "a, helm: { values: '' }, kustomize: {}, directory: {}":                       "",
		git + "a, directory: { recurse: true }":                                             "",
	} {
		if got := graded(t, map[string]string{"a.yaml": application("a", "", src, "", "")}); got != want {
			t.Errorf("%s: told %q, want %q", src, got, want)
		}
	}
	app, to := application("a", "", git+"a", "", ""), "destination: { server: https://kubernetes.default.svc, namespace: apps }"
	for text, want := range map[string]string{
		"destination: {}":                       "error C013",
		"destination: { namespace: apps }":      "error C013",
		"destination: { server: '', name: '' }": "error C013",
		"revisionHistoryLimit: 3":               "error C013",
		"destination: { name: in-cluster }":     "",
		to:                                      "",
		"destination: { server: a, name: b }":   "error C013",
	} {
		if got := graded(t, map[string]string{"a.yaml": strings.Replace(app, to, text, 1)}); got != want {
			t.Errorf("%s: told %q, want %q", text, got, want)
		}
	}
}

// R40: a parameter that another hides is told; one that wins over valuesObject
// may be meant, as where a tool updates an image.
func TestParametersAndTheValuesTheyHide(t *testing.T) {
	for text, want := range map[string]string{
		"parameters: [{ name: a, value: '1' }, { name: a, value: '2' }]":                "error C012",
		"parameters: [{ name: a, value: '1' }, { name: a, value: '1' }]":                "",
		"parameters: [{ name: a, value: '1' }, { name: b, value: '1' }]":                "",
		"parameters: [{ name: a, value: '1' }], fileParameters: [{ name: a, path: f }]": "error C012",
		"fileParameters: [{ name: a, path: f }, { name: a, path: g }]":                  "error C012",
		"valuesObject: { a: { b: 1 } }, parameters: [{ name: a.b, value: '2' }]":        "warning C012",
		"valuesObject: { a: { b: 1 } }, fileParameters: [{ name: a, path: f }]":         "warning C012",
		"valuesObject: { a: { b: 1 } }, parameters: [{ name: a.c, value: '2' }]":        "",
		"valuesObject: { a.b: 1 }, parameters: [{ name: 'a\\.b', value: '2' }]":         "warning C012",
		"valuesObject: { a.b: 1 }, parameters: [{ name: a.b, value: '2' }]":             "",
		"valuesObject: { a: [{ b: 1 }] }, parameters: [{ name: 'a[0].b', value: '2' }]": "",
		"valuesObject: { a: { b: null } }, parameters: [{ name: a.b, value: '2' }]":     "",
		"values: 'a: b', valuesObject: { a: c }":                                        "error C012",
	} {
		if got := graded(t, map[string]string{"a.yaml": application("a", "", helm+"web, helm: { "+text+" }", "", "")}); got != want {
			t.Errorf("%s: told %q, want %q", text, got, want)
		}
	}
}
