package lint

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/faults"
)

// R40: what Argo CD fills in when it builds is no name of a source, wherever in a
// path it stands.
func TestVariablesOfABuildAreNoSources(t *testing.T) {
	for path, want := range map[string]string{
		"values-$ARGOCD_APP_NAME.yaml":               "",
		"$ARGOCD_APP_NAME/values.yaml":               "",
		"$values/$ARGOCD_APP_NAMESPACE.yaml":         "",
		"envs/$ARGOCD_APP_NAME/$KUBE_VERSION.yaml":   "",
		"price-in-$$.yaml":                           "",
		"$$values/x.yaml":                            "",
		"$values/x.yaml":                             "",
		"values-$ARGOCD_APP_NAME/$values/x.yaml":     "C007",
		"envs/$values/$ARGOCD_APP_NAME.yaml":         "C007",
		"$others/$ARGOCD_APP_NAME.yaml":              "C007",
		"$values-$ARGOCD_APP_NAME/x.yaml":            "C007",
		"values-$ARGOCD_APP_NAME-$KUBE_VERSION.yaml": "",
	} {
		text := strings.Replace(application("a", "", git+"a", "", ""), "  source: { "+git+"a }\n",
			"  sources: [{ repoURL: https://a.example.com/x.git, targetRevision: main, ref: values }, { "+helm+"web, helm: { valueFiles: ['"+path+"'] } }]\n", 1)
		coded(t, path, map[string]string{"a.yaml": text}, want)
	}
}

// setOf is an ApplicationSet whose template has these sources, and further lines.
func setOf(sources, more string) string {
	text := strings.Replace(appSet, "      annotations:\n        argocd.argoproj.io/sync-wave: \"1\"\n", "", 1)
	return strings.Replace(text, "source: { repoURL: https://git.example.com/x.git, path: '{{n}}', targetRevision: main }", "sources: ["+sources+"]", 1) + more
}

// R40: what a set fills in later is not known to be wrong, in the template and in
// what is patched into it.
func TestWhatASetFillsInIsNotJudged(t *testing.T) {
	source := func(ref, path string) string {
		return "{ repoURL: https://a.example.com/x.git, targetRevision: main, ref: '" + ref + "' }, { " + helm + "web, helm: { valueFiles: ['" + path + "'] } }"
	}
	wave := func(w string) string {
		return "  templatePatch: |\n    metadata:\n      annotations:\n        argocd.argoproj.io/sync-wave: " + w + "\n"
	}
	rolling := "  strategy: { type: RollingSync, rollingSync: { steps: [{ matchExpressions: [{ key: a, operator: In, values: [b] }] }] } }\n"
	for name, c := range map[string]struct{ text, want string }{
		"a ref filled in":         {setOf(source("{{.r}}", "$values/x.yaml"), ""), ""},
		"a ref of the path":       {setOf(source("values", "${{.r}}/x.yaml"), ""), ""},
		"a part of it":            {setOf(source("values", "$val{{.r}}/x.yaml"), ""), ""},
		"before the ref":          {setOf(source("values", "{{.r}}$values/x.yaml"), ""), ""},
		"known to be wrong":       {setOf(source("values", "$others/{{.x}}.yaml"), ""), "C007"},
		"in the middle":           {setOf(source("values", "envs/$values/{{.x}}.yaml"), ""), "C007"},
		"a wave in the patch":     {setOf(source("values", "$values/x.yaml"), rolling+wave(`"{{.w}}"`)), ""},
		"a part of the wave":      {setOf(source("values", "$values/x.yaml"), rolling+wave(`"1{{.w}}"`)), ""},
		"a wave that is none":     {setOf(source("values", "$values/x.yaml"), rolling+wave(`"first"`)), "C010"},
		"an option in the patch":  {setOf(source("values", "$values/x.yaml"), "  templatePatch: |\n    spec:\n      syncPolicy:\n        syncOptions: ['CreateNamespace={{.c}}']\n"), ""},
		"fields in the patch":     {setOf(source("values", "$values/x.yaml"), "  templatePatch: |\n    spec:\n      ignoreDifferences: [{ group: '{{.g}}', kind: Deployment, jsonPointers: {{ toJson .p }} }]\n      syncPolicy: { syncOptions: [RespectIgnoreDifferences=true] }\n"), ""},
		"a name of an annotation": {setOf(source("values", "$values/x.yaml"), "  templatePatch: |\n    metadata:\n      annotations:\n        argocd.argoproj.io/{{.a}}: b\n"), ""},
	} {
		coded(t, name, map[string]string{"set.yaml": c.text}, c.want)
	}
}

// R40: where the lines of a patch depend on an action, or are none, what is told
// of the template is a warning, and has the words of the file.
func TestDoubtfulPatchesAreWarnedOf(t *testing.T) {
	none := strings.Replace(setOf("", ""), "      sources: []\n", "", 1)
	for name, c := range map[string]struct {
		patch, want string
		severity    faults.Severity
	}{
		"both ways": {"  templatePatch: |\n    spec:\n      {{- if .a }}\n      sources: [{ repoURL: a, ref: v }, { repoURL: b, ref: v }]\n      {{- end }}\n", "KORA-C007", faults.Warning},
		"one key in two branches": {"  templatePatch: |\n    spec:\n      {{- if .a }}\n      source: { repoURL: a, path: b }\n      {{- else }}\n      source: { repoURL: c, path: d }\n      {{- end }}\n",
			"KORA-C013", faults.Warning},
		"in quotes":  {"  templatePatch: '{\"spec\": {\"source\": {{ toJson .source }} }}'\n", "KORA-C013", faults.Warning},
		"no actions": {"  templatePatch: |\n    spec:\n      sources: [{ repoURL: a, ref: v }, { repoURL: '{{.b}}', ref: v }]\n", "KORA-C007", faults.Error},
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "set.yaml"), none+c.patch)
		_, found := Lint(dir)
		if len(found) != 1 || string(found[0].Code) != c.want || found[0].Severity != c.severity {
			t.Errorf("%s: %+v", name, found)
		}
		for _, f := range found {
			if strings.ContainsRune(f.Source+f.Found, '\ue000') || f.Source == "" {
				t.Errorf("%s: %q, %q", name, f.Source, f.Found)
			}
		}
	}
}
