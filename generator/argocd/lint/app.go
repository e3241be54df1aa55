package lint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// check is what one Application tells by itself.
func (a *app) check(parent sureness) faults.List {
	if a.spec == nil {
		return nil
	}
	found := slices.Concat(a.shape(), a.namespace(), a.ignores(), a.options(), a.refs())
	if at := a.has("ServerSideApply=true"); at != nil && parent != never {
		f := a.fault(at, faults.ParentApply, "spec.syncPolicy.syncOptions", "the parent of Applications is applied by server-side apply")
		if parent == perhaps {
			f.Severity = faults.Warning
			f.Message = "where this folder is the root of the source's repository, the parent of Applications is applied by server-side apply"
		}
		found = append(found, f)
	}
	for i, s := range a.sources() {
		found = append(found, a.values(s, i)...)
		found = append(found, a.references(s)...)
	}
	return found
}

func (a *app) shape() faults.List {
	var found faults.List
	one, several := a.spec.Get("source"), items(a.spec.Get("sources"))
	switch {
	case one == nil && len(several) == 0 && a.spec.Get("sourceHydrator") == nil:
		found = append(found, a.fault(key(a.root, "spec"), faults.AppShape, "spec", "the Application has no source"))
	case one != nil && len(several) > 0:
		found = append(found, a.fault(key(a.spec, "source"), faults.AppShape, "spec.source", "source is passed over where sources stands"))
	}
	switch to := a.spec.Get("destination"); {
	case text(to, "server") == "" && text(to, "name") == "":
		found = append(found, a.fault(key(a.spec, "destination"), faults.AppShape, "spec.destination", "the destination names no cluster, neither by server nor by name"))
	case text(to, "server") != "" && text(to, "name") != "":
		found = append(found, a.fault(key(to, "name"), faults.AppShape, "spec.destination", "the destination names its cluster twice, by server and by name"))
	}
	if p := a.spec.Field("project"); p == nil || text(a.spec, "project") == "" {
		found = append(found, a.fault(key(a.root, "spec"), faults.AppShape, "spec.project", "the Application names no project"))
	}
	for _, s := range a.sources() {
		found = append(found, a.source(s)...)
	}
	return found
}

// refs of one name hide each other.
func (a *app) refs() faults.List {
	var found faults.List
	seen := map[string]bool{}
	for _, s := range a.sources() {
		if name := text(s, "ref"); name != "" {
			if seen[name] {
				f := a.fault(s.Get("ref"), faults.RefPlace, "spec.sources.ref", "another source has this ref too")
				f.Found = name
				found = append(found, f)
			}
			seen[name] = true
		}
	}
	return found
}

func (a *app) namespace() faults.List {
	if m := a.policy().Get("managedNamespaceMetadata"); m == nil || a.has("CreateNamespace=true") != nil {
		return nil
	}
	return faults.List{a.fault(key(a.policy(), "managedNamespaceMetadata"), faults.NamespaceLabels, "spec.syncPolicy.managedNamespaceMetadata", "the namespace's labels are never written")}
}

// charts are the names of the Helm charts of all sources; of an OCI artifact the
// last part of its URL.
func (a *app) charts() []string {
	var all []string
	for _, s := range a.sources() {
		switch name, url := text(s, "chart"), text(s, "repoURL"); {
		case name != "":
			all = append(all, name)
		case strings.HasPrefix(url, "oci://"):
			all = append(all, path.Base(url))
		}
	}
	return all
}

// referred is "$name" in a path, and "$$".
var referred = regexp.MustCompile(`\$(?:\$|([A-Za-z0-9_-]+))`)

// references resolve only at the start of a path, to a source with that ref.
func (a *app) references(s *source.Node) faults.List {
	var found faults.List
	if ref := s.Get("ref"); ref != nil && text(s, "chart") != "" {
		found = append(found, a.fault(ref, faults.RefPlace, "spec.sources.ref", "a source with a chart cannot be referred to"))
	}
	helm := s.Get("helm")
	paths := slices.Clone(items(helm.Get("valueFiles")))
	for _, p := range items(helm.Get("fileParameters")) {
		if n := p.Get("path"); n != nil {
			paths = append(paths, n)
		}
	}
	for _, p := range paths {
		found = append(found, a.reference(p)...)
	}
	return found
}

func (a *app) reference(p *source.Node) faults.List {
	m := sourceName(p.Value)
	if m == nil || placeholder(p.Value[:m[0]]) || strings.HasPrefix(p.Value[m[1]:], "{{") {
		return nil
	}
	name := p.Value[m[2]:m[3]]
	message := ""
	switch {
	case m[0] != 0:
		message = fmt.Sprintf("$%s does not stand at the start of the path, and is no source there", name)
	case !strings.HasPrefix(p.Value[m[1]:], "/"):
		message = fmt.Sprintf("behind $%s there is no slash", name)
	case !slices.ContainsFunc(a.sources(), func(s *source.Node) bool { return text(s, "ref") == name || placeholder(text(s, "ref")) }):
		message = fmt.Sprintf("no source has ref: %s", name)
	default:
		return nil
	}
	f := a.fault(p, faults.RefPlace, "spec.sources.helm", message)
	f.Found = p.Value
	return faults.List{f}
}

// sourceName is where the first name of a source is in a path. Variables of the
// build, which Argo CD fills in anywhere, are none, nor is $$, a dollar.
func sourceName(path string) []int {
	for _, m := range referred.FindAllStringSubmatchIndex(path, -1) {
		name := path[max(m[2], 0):max(m[3], 0)]
		if name != "" && !strings.HasPrefix(name, "ARGOCD_") && name != "KUBE_VERSION" && name != "KUBE_API_VERSIONS" {
			return m
		}
	}
	return nil
}

// unordered is about the template of an ApplicationSet: only RollingSync orders
// what it makes.
func (a *app) unordered() faults.List {
	w := a.meta.Get("annotations").Get(waveKey)
	strategy := a.root.Get("spec").Get("strategy")
	rolls := text(strategy, "type") == "RollingSync"
	if w == nil || rolls && len(items(strategy.Get("rollingSync").Get("steps"))) > 0 {
		return nil
	}
	f := a.fault(w, faults.UnorderedSet, "spec.template.metadata.annotations", "the wave orders nothing: the ApplicationSet makes all its Applications at once")
	if rolls {
		f.Message = "the wave orders nothing: RollingSync without steps makes all Applications at once"
	}
	f.Object = "ApplicationSet " + text(a.root.Get("metadata"), "name")
	return faults.List{f}
}
