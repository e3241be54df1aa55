package lint

import (
	"path"
	"slices"
	"strings"

	"github.com/runkora/kora/internal/source"
)

// How surely a source is of the folder that was read.
type sureness int

const (
	never sureness = iota
	perhaps
	surely
)

// atRoot reports a source in git at the root of its repository.
func atRoot(s *source.Node) bool {
	return text(s, "chart") == "" && path.Clean("/"+text(s, "path")) == "/" && !strings.HasPrefix(text(s, "repoURL"), "oci://") &&
		(text(s, "ref") == "" || text(s, "path") != "")
}

// rooted reports whether the folder that was read is the root that a source names:
// surely, where other Applications have their sources in the same repository, and
// perhaps where nobody says. One that installs into a namespace of its own from a
// repository of its own is of what is in that one.
func (s *set) rooted(a *app, src *source.Node) sureness {
	if !atRoot(src) {
		return never
	}
	if s.repositories[repository(src)] > 1 {
		return surely
	}
	if to := text(a.spec.Get("destination"), "namespace"); to != "" && to != "default" && !s.ownNamespace(a) {
		return never
	}
	return perhaps
}

// shared counts the Applications that have a source in a repository, by repository.
func shared(apps []*app) map[string]int {
	out := map[string]int{}
	for _, a := range apps {
		own := map[string]bool{}
		for _, src := range a.sources() {
			own[repository(src)] = true
		}
		for name := range own {
			out[name]++
		}
	}
	return out
}

// repository is where a source is, as texts of one repository agree.
func repository(s *source.Node) string {
	return strings.TrimSuffix(strings.TrimRight(text(s, "repoURL"), "/"), ".git")
}

// takes reports a file that a source at the root takes: one beside it, all of them
// where it recurses, and what its kustomization or its chart has.
func (s *set) takes(src *source.Node, at string) bool {
	if text(src.Get("directory"), "recurse") == "true" || path.Dir(at) == "." || strings.HasPrefix(at, "templates/") {
		return true
	}
	return slices.ContainsFunc(s.overlays, func(o overlay) bool { return o.at == "." && o.takes(at) })
}
