package argocd

import (
	"fmt"

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
	was, now := told(set.Untouched(folder)), told(texts)
	var found faults.List
	for _, name := range factNames() {
		if was[name] == "" || was[name] == now[name] || named && name != "trustDomain" {
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

func factNames() []string {
	return []string{
		"trustDomain", "frontendHost", "systemNamespace", "argocd.namespace", "argocd.project", "argocd.destination",
		"argocd.apps.url", "argocd.apps.path", "argocd.apps.revision", "argocd.values.url", "argocd.tenants.url",
	}
}

// told are the facts that generated files tell, by their names in the environment:
// those that no version of kora changes.
func told(texts map[string]string) map[string]string {
	out := map[string]string{}
	parent, kora, istiod, own := read(texts["app-of-apps.yaml"]), read(texts["apps/kora.yaml"]), read(texts["apps/istiod.yaml"]), read(texts["apps/"+tenants+".yaml"])
	add := func(name, value string) {
		if out[name] == "" {
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
