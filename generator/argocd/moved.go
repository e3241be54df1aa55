package argocd

import (
	"fmt"
	"maps"
	"slices"

	argo "github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/runkora/kora/generator/environment"
	"github.com/runkora/kora/generator/output"
	"github.com/runkora/kora/internal/faults"
)

// Moved compares a set with the folder that it shall be written into: a fault for
// the trust domain, which never changes by the way (R56), and, where nobody named
// the environment, for each other fact that the folder was generated from. Files
// that a person changed do not count.
func Moved(set output.Set, folder string, env environment.Placed, named bool) faults.List {
	texts := map[string]string{}
	for _, f := range set.Files {
		texts[f.Path] = f.Text
	}
	was, now := compared(set.Untouched(folder), texts, env)
	var found faults.List
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if was[name] == now[name] || named && name != "trustDomain" {
			continue
		}
		f := faults.New(faults.EnvironmentSplit, "")
		f.File = env.File
		if at := env.At(name); at.File != nil {
			f = at.Fault(faults.EnvironmentSplit, "")
		}
		f.Message = fmt.Sprintf("%s is not what it is in %s, which was generated from another environment", name, folder)
		f.Fix = "name the environment of this folder with -e"
		if named {
			f.Code, f.Message = faults.TrustDomainMove, "the trust domain would change, and every identity with it: "+folder+" was generated with another"
			f.Fix = "keep trustDomain as it is, or name another folder; where every identity shall move, remove this one first"
		}
		f.Field, f.Found, f.Expected = name, now[name], was[name]
		found = append(found, f)
	}
	return found
}

// compared are the facts of a folder and the new ones, by their names: all of them
// where the folder tells of which it was made, else those that its files show.
func compared(old, texts map[string]string, env environment.Placed) (was, now map[string]string) {
	if was = factsIn(old["app-of-apps.yaml"]); was != nil && texts["app-of-apps.yaml"] != "" {
		if domain := told(old)["trustDomain"]; domain != "" {
			was["trustDomain"] = written(domain) // what runs has it from these
		}
		return was, factsOf(env.Environment)
	}
	return told(old), told(texts)
}

// told are the facts that generated files tell, by their names in the environment:
// those that no version of kora changes.
func told(texts map[string]string) map[string]string {
	out := map[string]string{}
	parent, kora, istiod, own := read(texts["app-of-apps.yaml"]), read(texts["apps/kora.yaml"]), read(texts["apps/istiod.yaml"]), read(texts["apps/"+tenants+".yaml"])
	add := func(name, value string) {
		if out[name] == "" && value != "" {
			out[name] = value
		}
	}
	add("trustDomain", given(kora, "global", "trustDomain"))
	add("trustDomain", given(istiod, "meshConfig", "trustDomain"))
	add("frontendHost", given(kora, "frontendHost"))
	add("systemNamespace", kora.Spec.Destination.Namespace)
	for _, app := range []*argo.Application{parent, kora, istiod} {
		add("argocd.namespace", app.Namespace)
		add("argocd.project", app.Spec.Project)
		add("argocd.destination", app.Spec.Destination.Server)
	}
	apps := parent.Spec.GetSource()
	add("argocd.apps.url", apps.RepoURL)
	add("argocd.apps.path", apps.Path)
	add("argocd.apps.revision", apps.TargetRevision)
	if len(kora.Spec.Sources) > 1 {
		add("argocd.values.url", kora.Spec.Sources[1].RepoURL)
	}
	add("argocd.tenants.url", own.Spec.GetSource().RepoURL)
	return out
}

// read is a generated Application, an empty one where there is none.
func read(text string) *argo.Application {
	app := &argo.Application{}
	if yaml.Unmarshal([]byte(text), app) != nil {
		return &argo.Application{}
	}
	return app
}

// given is a text among the facts that an Application gives its chart.
func given(app *argo.Application, path ...string) string {
	helm := app.Spec.GetSource().Helm
	if helm == nil || helm.ValuesObject == nil {
		return ""
	}
	var v any
	if yaml.Unmarshal(helm.ValuesObject.Raw, &v) != nil {
		return ""
	}
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	text, _ := v.(string)
	return text
}
