package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// object is anything that was read and is neither Application nor ApplicationSet.
type object struct {
	at   string // the file, below the folder
	root *source.Node
}

func (o object) definition() bool { return text(o.root, "kind") == "CustomResourceDefinition" }

// kept reports whether the definition itself says that it is never deleted.
func (o object) kept() bool {
	list := text(o.root.Get("metadata").Get("annotations"), optionsKey)
	return option(list, "Prune=false", "Prune=confirm") && option(list, "Delete=false", "Delete=confirm")
}

// of reports whether a file lies in the folder of a source of the Application. The
// root of a repository could be any folder, and says nothing, unless it surely is
// the one that was read.
func (s *set) of(a *app, at string) bool {
	return slices.ContainsFunc(a.sources(), func(src *source.Node) bool {
		return inside(src, at) || s.rooted(a, src) == surely && s.takes(src, at)
	})
}

func inside(s *source.Node, at string) bool {
	folder := path.Clean("/" + text(s, "path"))
	return text(s, "chart") == "" && folder != "/" && strings.Contains(path.Dir("/"+at)+"/", folder+"/")
}

// installs reports whether the Application is of a chart of kora's: by the
// chart's name, the artifact's, the folder's in git, or the release's.
func (a *app) installs(chart string) bool {
	if slices.Contains(a.charts(), chart) {
		return true
	}
	return slices.ContainsFunc(a.sources(), func(s *source.Node) bool {
		switch at := path.Clean("/" + text(s, "path")); {
		case text(s, "chart") != "" || text(s, "path") == "":
			return false
		case strings.HasSuffix(at, "/charts/"+chart) || text(s.Get("helm"), "releaseName") == chart:
			return true
		default:
			return path.Base(at) == chart && (s.Get("helm") != nil || text(a.meta, "name") == chart)
		}
	})
}

// defines reports whether the Application brings definitions: by a name, or by
// what lies in its folder.
func (s *set) defines(a *app) bool {
	named := append(a.charts(), text(a.meta, "name"))
	for _, src := range a.sources() {
		at := path.Clean("/" + text(src, "path"))
		named = append(named, path.Base(at), text(src.Get("helm"), "releaseName"))
		istio := text(src, "chart") == "base" && strings.Contains(text(src, "repoURL"), "istio")
		if istio || strings.HasSuffix(at, "/istio/base") || strings.HasSuffix(at, "/istio-control/istio-base") {
			return true
		}
	}
	if slices.ContainsFunc(named, func(n string) bool { return n == "crds" || strings.HasSuffix(n, "-crds") }) {
		return true
	}
	return slices.ContainsFunc(s.objects, func(o object) bool { return o.definition() && !o.kept() && s.of(a, o.at) })
}

// tenants reports whether the Application holds objects of kora's kinds.
func (s *set) tenants(a *app) bool {
	if text(a.meta, "name") == "kora-tenants" {
		return true
	}
	return slices.ContainsFunc(s.objects, func(o object) bool {
		group, _, _ := strings.Cut(text(o.root, "apiVersion"), "/")
		return (group == "runkora.io" || strings.HasSuffix(group, ".runkora.io")) && s.of(a, o.at)
	})
}

// definitions are never to be deleted by the way (R40).
func (s *set) definitions(a *app) faults.List {
	if !s.defines(a) {
		return nil
	}
	var found faults.List
	auto := a.policy().Get("automated")
	if p := auto.Get("prune"); p != nil && p.Value == "true" && text(auto, "enabled") != "false" {
		found = append(found, a.fault(p, faults.PrunedCRDs, "spec.syncPolicy.automated.prune", "a definition that a version no longer has is deleted, with every object of its kind"))
	}
	for _, each := range []string{"Replace=true", "Force=true"} {
		if at := a.has(each); at != nil {
			found = append(found, a.fault(at, faults.PrunedCRDs, "spec.syncPolicy.syncOptions", "a definition that cannot be changed in place is deleted and made anew, and every object of its kind goes with it"))
		}
	}
	for _, f := range items(a.meta.Get("finalizers")) {
		if strings.HasPrefix(f.Value, "resources-finalizer.argocd.argoproj.io") {
			found = append(found, a.fault(f, faults.PrunedCRDs, "metadata.finalizers", "deleting the Application deletes the definitions, with every object of their kinds"))
		}
	}
	return found
}
