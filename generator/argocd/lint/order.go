package lint

import (
	"fmt"
	"path"
	"strings"

	"github.com/runkora/kora/generator/releases"
	"github.com/runkora/kora/internal/faults"
)

// parent reports whether an Application holds others: its folder is one of
// those that were read and has Applications in it, or it installs from git into
// the namespace that it is in itself, which is Argo CD's.
func (s *set) parent(a *app) bool {
	for _, src := range a.sources() {
		if text(src, "chart") != "" || text(src, "ref") != "" && text(src, "path") == "" {
			continue
		}
		if to := text(a.spec.Get("destination"), "namespace"); to != "" && to == text(a.meta, "namespace") {
			return true
		}
		at := path.Clean("/" + text(src, "path"))
		for _, other := range s.apps {
			if other != a && at != "/" && strings.HasSuffix(path.Dir("/"+other.at), at) {
				return true
			}
		}
	}
	return false
}

// waits warns once where waves order Applications that have no health.
func (s *set) waits() faults.List {
	if s.health {
		return nil
	}
	waves := map[int]bool{}
	var first *app
	for _, a := range s.apps {
		if a.waved {
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

// waves compares the waves of the reference install's charts with what each
// needs (R38, R40).
func (s *set) waves() faults.List {
	graph, err := releases.Reference(releases.Pins{})
	if err != nil {
		return faults.List{faults.New(faults.ReleaseGraph, err.Error())}
	}
	byChart := map[string][]*app{}
	for _, a := range s.apps {
		if chart := a.chart(); chart != "" {
			byChart[chart] = append(byChart[chart], a)
		}
	}
	var found faults.List
	for _, r := range graph.Releases {
		for _, need := range r.Needs {
			for _, a := range byChart[r.Chart] {
				found = append(found, a.after(byChart[graph.Release(need).Chart])...)
			}
		}
	}
	return found
}

// after is a fault for each Application that a needs and whose wave is not
// lower. Those elsewhere, of another cluster, do not count.
func (a *app) after(needed []*app) faults.List {
	var found faults.List
	for _, n := range needed {
		if a.cluster() != n.cluster() || a.wave > n.wave {
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

func (a *app) cluster() string {
	to := a.spec.Get("destination")
	return text(to, "server") + text(to, "name")
}
