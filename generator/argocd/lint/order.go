package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// parent reports whether an Application holds others: Applications were read in
// its folder, which may be the root of what was read; or, where its folder was not
// read, it installs from git into the namespace that it is in itself, which is Argo
// CD's, or is named for it.
func (s *set) parent(a *app) sureness {
	out := never
	for _, src := range a.sources() {
		if text(src, "chart") != "" || text(src, "ref") != "" && text(src, "path") == "" {
			continue
		}
		out = max(out, s.holds(a, src))
	}
	return out
}

func (s *set) holds(a *app, src *source.Node) sureness {
	if slices.ContainsFunc(s.apps, func(other *app) bool { return other != a && inside(src, other.at) }) {
		return surely
	}
	read := slices.ContainsFunc(s.objects, func(o object) bool { return inside(src, o.at) })
	switch {
	case itself(a, src):
		return never
	case !read && (s.ownNamespace(a) || s.namedParent(a, src)):
		return surely
	case slices.ContainsFunc(s.apps, func(other *app) bool { return other != a && s.takes(src, other.at) }):
		return s.rooted(a, src)
	}
	return never
}

func (s *set) ownNamespace(a *app) bool {
	to := text(a.spec.Get("destination"), "namespace")
	return to != "" && to == text(a.meta, "namespace")
}

// namedParent is a folder of Applications by its name, beside Applications in
// waves that name their own namespace: where the parent's points does not matter.
func (s *set) namedParent(a *app, src *source.Node) bool {
	if a.waved || !slices.ContainsFunc(s.apps, func(o *app) bool { return o != a && o.waved }) {
		return false
	}
	parents := []string{"apps", "applications", "app-of-apps", "argocd-apps", "children", "bootstrap"}
	return slices.Contains(parents, path.Base(path.Clean("/"+text(src, "path")))) || slices.Contains(append(parents, "root"), text(a.meta, "name"))
}

// itself reports whether Argo CD manages itself by the Application.
func itself(a *app, src *source.Node) bool {
	own := func(s string) bool { return s == "argocd" || s == "argo-cd" }
	return own(text(a.meta, "name")) || own(path.Base(text(src, "path"))) && text(a.meta, "name") != "root"
}

// waits warns once where waves order Applications that have no health.
func (s *set) waits() faults.List {
	waves := map[int]bool{}
	var first *app
	for _, a := range s.apps {
		if a.waved && !s.healthy(a) {
			waves[a.wave] = true
			if first == nil {
				first = a
			}
		}
	}
	if len(waves) < 2 {
		return nil
	}
	at := key(first.meta.Get("annotations"), waveKey)
	f := first.fault(at, faults.AppHealth, "metadata.annotations", fmt.Sprintf("%d waves of Applications, and nothing here gives Applications a health", len(waves)))
	f.Expected = "a ConfigMap argocd-cm with resource.customizations.health.argoproj.io_Application"
	return faults.List{f}
}

// healthy reports whether an argocd-cm beside the Application gives it a health:
// one in another namespace is of another Argo CD.
func (s *set) healthy(a *app) bool {
	own := text(a.meta, "namespace")
	return slices.ContainsFunc(s.health, func(ns string) bool { return ns == "" || own == "" || ns == own })
}

// waves compares the waves of the reference install's charts with what each
// needs (R38, R40).
func (s *set) waves() faults.List {
	graph, err := releases.Reference(releases.Pins{})
	if err != nil {
		return faults.List{faults.New(faults.ReleaseGraph, err.Error())}
	}
	by := map[string][]*app{}
	for _, r := range graph.Releases {
		for _, a := range s.apps {
			if slices.Contains(a.charts(), r.Chart) || r.Own && a.installs(r.Chart) {
				by[r.Chart] = append(by[r.Chart], a)
			}
		}
	}
	var found faults.List
	for _, r := range graph.Releases {
		for _, need := range r.Needs {
			for _, a := range by[r.Chart] {
				found = append(found, a.after(by[graph.Release(need).Chart])...)
			}
		}
	}
	for _, a := range s.apps {
		if s.tenants(a) {
			found = append(found, a.after(by[releases.KoraCRDs])...)
		}
	}
	return found
}

// after is a fault for each Application that a needs and whose wave is not
// lower. Those elsewhere, of another cluster, do not count.
func (a *app) after(needed []*app) faults.List {
	var found faults.List
	for _, n := range needed {
		if n == a || a.cluster() != n.cluster() || a.wave > n.wave {
			continue
		}
		at := key(a.root, "metadata")
		if a.waved {
			at = a.meta.Get("annotations").Get(waveKey)
		}
		f := a.fault(at, faults.WaveOrder, "metadata.annotations", fmt.Sprintf("it needs %s, and is not in a later wave", n.name()))
		f.Found, f.Expected = fmt.Sprintf("wave %d", a.wave), fmt.Sprintf("a wave after %d", n.wave)
		found = append(found, f)
	}
	return found
}

// cluster is the destination's cluster as a text to compare: Argo CD's own has
// a name and an address, which are one.
func (a *app) cluster() string {
	to := a.spec.Get("destination")
	server := strings.TrimRight(text(to, "server"), "/")
	switch host := strings.TrimSuffix(strings.TrimPrefix(server, "https://"), ":443"); {
	case text(to, "name") == "in-cluster", host == "kubernetes.default.svc", host == "kubernetes.default.svc.cluster.local":
		return "in-cluster"
	}
	return server + text(to, "name")
}
