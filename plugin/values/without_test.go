package values

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// R20: what is taken out at once is what is taken out one by one, whatever the
// order, and the tree itself stays as it was.
func TestManySettingsAreTakenOutAtOnce(t *testing.T) {
	const text = "a: { b: { c: 1, d: [1] }, e: 2 }\n\"f.g\": { h: 1 }\ni: 3\nj: { k: 1 }\n"
	for _, paths := range [][]fields.Path{
		nil, {"a"}, {"a.b.c"}, {"a.b.c", "a.b"}, {"a.b", "a.b.c"}, {`["f.g"].h`, "i"}, {"x", "a.x.y", "i.x", "i", "i"}, {"a", `["f.g"]`, "i", "j"}, {"j.k", "a.b.d"},
	} {
		tree, found := Read(source.NewFile("kora.yaml", text))
		if len(found) > 0 {
			t.Fatal(found)
		}
		before, want := fmt.Sprint(tree.Root().Any()), tree
		for _, path := range paths {
			want = want.Without(Leaf{Path: path})
		}
		got := tree.WithoutAll(paths)
		if fmt.Sprint(got.Root().Any()) != fmt.Sprint(want.Root().Any()) {
			t.Errorf("%q: %v, wanted %v", paths, got.Root().Any(), want.Root().Any())
		}
		if fmt.Sprint(tree.Root().Any()) != before {
			t.Errorf("%q: the tree is changed", paths)
		}
	}
}

// R43: a file with a fault in every line costs one walk: the maps that are made are
// as many as those that lose a key, whatever the number of keys.
func TestTakingManyOutCopiesOnce(t *testing.T) {
	allocated := func(n int) float64 {
		var b strings.Builder
		paths := make([]fields.Path, n)
		for i := range n {
			fmt.Fprintf(&b, "k%d: 1\n", i)
			paths[i] = fields.Path(fmt.Sprintf("k%d", i))
		}
		tree, _ := Read(source.NewFile("kora.yaml", b.String()))
		return testing.AllocsPerRun(1, func() {
			if left := tree.WithoutAll(paths).Root().Fields; len(left) > 0 {
				t.Errorf("%d keys are left", len(left))
			}
		}) / float64(n)
	}
	if few, many := allocated(500), allocated(5000); many > 2*few {
		t.Errorf("%.1f allocations a key of 500, %.1f of 5000", few, many)
	}
}
