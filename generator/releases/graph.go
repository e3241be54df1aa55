package releases

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// New returns the graph of the releases, ordered by wave and, within one, as
// given. It is an error that two have one name, that one needs what is not
// there, or that a circle of needs has no order.
func New(all []Release) (*Graph, error) {
	g := &Graph{slices.Clone(all)}
	if err := g.names(); err != nil {
		return nil, err
	}
	wave, err := g.waves()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(g.Releases, func(a, b Release) int { return cmp.Compare(wave[a.Name], wave[b.Name]) })
	return g, nil
}

func (g *Graph) names() error {
	seen := map[string]bool{}
	for _, r := range g.Releases {
		if seen[r.Name] {
			return fmt.Errorf("two releases are called %s", r.Name)
		}
		seen[r.Name] = true
	}
	for _, r := range g.Releases {
		for _, need := range r.Needs {
			if !seen[need] {
				return fmt.Errorf("the release %s needs %s, which is not there", r.Name, need)
			}
		}
	}
	return nil
}

// waves gives each release's wave: the longest path of needs below it, from 0.
func (g *Graph) waves() (map[string]int, error) {
	w := &walk{g.byName(), map[string]int{}, nil}
	for _, r := range g.Releases {
		if _, err := w.of(r.Name); err != nil {
			return nil, err
		}
	}
	return w.known, nil
}

func (g *Graph) byName() map[string]Release {
	out := make(map[string]Release, len(g.Releases))
	for _, r := range g.Releases {
		out[r.Name] = r
	}
	return out
}

type walk struct {
	all   map[string]Release
	known map[string]int
	path  []string
}

func (w *walk) of(name string) (int, error) {
	if n, ok := w.known[name]; ok {
		return n, nil
	}
	if i := slices.Index(w.path, name); i >= 0 {
		return 0, fmt.Errorf("releases need each other in a circle: %s", strings.Join(append(w.path[i:], name), " -> "))
	}
	w.path = append(w.path, name)
	wave := 0
	for _, need := range w.all[name].Needs {
		n, err := w.of(need)
		if err != nil {
			return 0, err
		}
		wave = max(wave, n+1)
	}
	w.path = w.path[:len(w.path)-1]
	w.known[name] = wave
	return wave, nil
}

// Wave is the release's: 0 for one that needs nothing, else one more than the
// highest of those it needs.
func (g *Graph) Wave(name string) int { return g.Waves()[name] }

// Waves gives the wave of every release. New has seen that there are waves.
func (g *Graph) Waves() map[string]int {
	wave, err := g.waves()
	if err != nil {
		panic("releases: " + err.Error())
	}
	return wave
}

// InWaves gives the names of the releases, one list a wave.
func (g *Graph) InWaves() [][]string {
	var out [][]string
	wave := g.Waves()
	for _, r := range g.Releases {
		n := wave[r.Name]
		for len(out) <= n {
			out = append(out, nil)
		}
		out[n] = append(out[n], r.Name)
	}
	return out
}
