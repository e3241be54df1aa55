package lint

import (
	"strings"
	"testing"
)

// ordered are two Applications in two waves, which wait for no health.
func ordered(files map[string]string) map[string]string {
	out := map[string]string{}
	for name, wave := range map[string]string{"a": "0", "b": "1"} {
		out[name+".yaml"] = application(name, ", annotations: { argocd.argoproj.io/sync-wave: '"+wave+"' }", git+name, "", "")
	}
	for name, text := range files {
		out[name] = text
	}
	return out
}

// R41: the health check of Applications is known in every form in which it comes to
// argocd-cm, and what only looks like one is none.
func TestHealthIsKnownInEveryForm(t *testing.T) {
	const key = "resource.customizations.health.argoproj.io_Application"
	patch := "kind: ConfigMap\napiVersion: v1\nmetadata: { name: argocd-cm }\ndata: { " + key + ": 'return {}' }\n"
	indented := func(text string) string { return strings.ReplaceAll("\n"+text, "\n", "\n    ") }
	patches := func(target, text string) map[string]string {
		return map[string]string{"kustomization.yaml": "resources: [https://example.com/install.yaml]\npatches:\n- " + target + "patch: |" + indented(text) + "\n"}
	}
	operation := func(op, path, value string) string {
		return "- { op: " + op + ", path: '" + path + "', value: " + value + " }"
	}
	cm, cr := "target: { kind: ConfigMap, name: argocd-cm }\n  ", "target: { kind: ArgoCD }\n  "
	operator := func(spec string) map[string]string {
		return map[string]string{"argocd.yaml": "apiVersion: argoproj.io/v1beta1\nkind: ArgoCD\nmetadata: { name: x, namespace: argocd }\nspec: " + spec + "\n"}
	}
	check := func(kind string) string {
		return "{ resourceHealthChecks: [{ group: argoproj.io, kind: " + kind + ", check: 'return {}' }] }"
	}
	chart := func(src string) map[string]string {
		return map[string]string{"argo.yaml": strings.ReplaceAll(application("argo-cd", "", helm+"argo-cd, helm: "+src, "", ""), "namespace: apps", "namespace: argocd")}
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing": {nil, "C001"},
		// kustomize
		"a merge patch":                  {patches("", patch), ""},
		"a merge patch with a target":    {patches(cm, patch), ""},
		"a patch in a file":              {map[string]string{"kustomization.yaml": "patches: [{ path: cm.yaml }]\n", "cm.yaml": patch}, ""},
		"patchesStrategicMerge":          {map[string]string{"k/kustomization.yaml": "patchesStrategicMerge: [cm.yaml]\n", "k/cm.yaml": patch}, ""},
		"a JSON patch":                   {patches(cm, operation("add", "/data/"+key, "return")), ""},
		"a JSON patch of the data":       {patches(cm, operation("replace", "/data", "{ "+key+": return }")), ""},
		"a JSON patch that tests":        {patches(cm, operation("test", "/data/"+key, "return")), "C001"},
		"a JSON patch of another":        {patches("target: { kind: ConfigMap, name: argocd-rbac-cm }\n  ", operation("add", "/data/"+key, "return")), "C001"},
		"a JSON patch of the operator's": {patches(cr, operation("add", "/spec/resourceHealthChecks/-", "{ group: argoproj.io, kind: Application, check: return }")), ""},
		"an empty patch":                 {patches(cm, "# nothing"), "C001"},
		"a patch of another namespace":   {map[string]string{"kustomization.yaml": "namespace: other\npatches: [{ path: cm.yaml }]\n", "cm.yaml": patch}, "C001"},
		"a generator":                    {map[string]string{"kustomization.yaml": "configMapGenerator: [{ name: argocd-cm, behavior: merge, literals: ['" + key + "=return {}'] }]\n"}, ""},
		"a generator of files":           {map[string]string{"kustomization.yaml": "configMapGenerator: [{ name: argocd-cm, files: ['" + key + "=health.lua'] }]\n"}, ""},
		"a generator of another":         {map[string]string{"kustomization.yaml": "configMapGenerator: [{ name: other, files: ['" + key + "=health.lua'] }]\n"}, "C001"},
		"a chart of a kustomization":     {map[string]string{"kustomization.yaml": "helmCharts: [{ name: argo-cd, valuesInline: { configs: { cm: { " + key + ": return } } } }]\n"}, ""},
		// the chart
		"values":                 {map[string]string{"values.yaml": "configs: { cm: { " + key + ": return } }\n"}, ""},
		"values of a dependency": {map[string]string{"values.yaml": "argo-cd: { configs: { cm: { " + key + ": return } } }\n"}, ""},
		"values of old":          {map[string]string{"values.yaml": "server: { config: { " + key + ": return } }\n"}, ""},
		"values of another key":  {map[string]string{"values.yaml": "configs: { params: { " + key + ": return } }\n"}, "C001"},
		"values that are empty":  {map[string]string{"values.yaml": "configs: { cm: { " + key + ": '' } }\n"}, "C001"},
		"valuesObject":           {chart("{ valuesObject: { configs: { cm: { " + key + ": return } } } }"), ""},
		"values as a text":       {chart("{ values: '{ configs: { cm: { " + key + ": return } } }' }"), ""},
		"a parameter":            {chart(`{ parameters: [{ name: 'configs.cm.resource\.customizations\.health\.argoproj\.io_Application', value: return }] }`), ""},
		"a template":             {map[string]string{"c/templates/cm.yaml": "data:\n{{- if .Values.a }}\n  " + key + ": |\n{{- end }}\n"}, ""},
		// the operator
		"the operator's checks":         {operator(check("Application")), ""},
		"its checks of another kind":    {operator(check("AppProject")), "C001"},
		"its further keys":              {operator("{ extraConfig: { " + key + ": return } }"), ""},
		"its key of old":                {operator(`{ resourceCustomizations: "argoproj.io/Application:\n  health.lua: return\n" }`), ""},
		"the operator's in another one": {map[string]string{"o.yaml": strings.Replace(operator(check("Application"))["argocd.yaml"], "namespace: argocd", "namespace: other", 1)}, "C001"},
	} {
		coded(t, name, ordered(c.files), c.want)
	}
}
