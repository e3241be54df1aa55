package releases

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func reference(t *testing.T) *Graph {
	t.Helper()
	g, err := Reference(Pins{Version: "1.4.0"})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// R38: the versions that the reference install pins.
func TestPins(t *testing.T) {
	got := map[string]string{}
	for _, r := range reference(t).Releases {
		got[r.Name] = r.Chart + " " + r.Version
	}
	want := map[string]string{
		"spire-crds": "spire-crds 0.6.1", "spire": "spire 0.30.2",
		"istio-base": "base 1.31.1", "istio-cni": "cni 1.31.1", "istiod": "istiod 1.31.1",
		"kora-crds": "kora-crds 1.4.0", "kora": "kora 1.4.0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// R38, R39: the waves of the reference install.
func TestWavesOfTheReference(t *testing.T) {
	want := [][]string{{"spire-crds", "istio-base", "kora-crds"}, {"spire", "istio-cni"}, {"istiod"}, {"kora"}}
	if diff := cmp.Diff(want, reference(t).InWaves()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// R38: in any graph a release's wave is the longest path of needs, counted here
// by walking every path, and it stands behind all that it needs.
func TestWaveIsTheLongestPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + rng.IntN(9)
		all := make([]Release, n)
		for i := range all {
			all[i].Name = fmt.Sprint("r", i)
			for j := range i {
				if rng.IntN(3) == 0 {
					all[i].Needs = append(all[i].Needs, fmt.Sprint("r", j))
				}
			}
		}
		rng.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
		g, err := New(all)
		if err != nil {
			t.Fatal(err)
		}
		place := map[string]int{}
		for i, r := range g.Releases {
			place[r.Name] = i
			if got, want := g.Wave(r.Name), longest(g, r.Name); got != want {
				t.Fatalf("%s is in wave %d, want %d", r.Name, got, want)
			}
			for _, need := range r.Needs {
				if p, ok := place[need]; !ok || p >= i {
					t.Fatalf("%s stands before %s, which it needs", r.Name, need)
				}
			}
		}
	}
}

func longest(g *Graph, name string) int {
	best := 0
	for _, need := range g.Release(name).Needs {
		best = max(best, 1+longest(g, need))
	}
	return best
}

// R38: what has no order is refused, and the words say where.
func TestGraphWithoutOrderIsRefused(t *testing.T) {
	for says, all := range map[string][]Release{
		"a -> b -> c -> a": {{Name: "a", Needs: []string{"b"}}, {Name: "b", Needs: []string{"c"}}, {Name: "c", Needs: []string{"a"}}},
		"a -> a":           {{Name: "a", Needs: []string{"a"}}},
		"needs nothing":    {{Name: "a", Needs: []string{"nothing"}}},
		"are called a":     {{Name: "a"}, {Name: "a"}},
	} {
		if _, err := New(all); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("want %q, got %v", says, err)
		}
	}
}
