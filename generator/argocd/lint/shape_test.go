package lint

import (
	"strings"
	"testing"
)

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
		coded(t, name, map[string]string{"a.yaml": c.text}, c.want)
	}
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
		graded(t, src, map[string]string{"a.yaml": application("a", "", src, "", "")}, want)
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
		graded(t, text, map[string]string{"a.yaml": strings.Replace(app, to, text, 1)}, want)
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
		graded(t, text, map[string]string{"a.yaml": application("a", "", helm+"web, helm: { "+text+" }", "", "")}, want)
	}
}
