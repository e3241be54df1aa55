package theme

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// identity warns of a mix of two brands: some identity values are set, and
// others still show kora (R34). The warning stands at the first that is set.
func (c *checker) identity(root *source.Node) {
	set, unset := c.theme.identity()
	if len(set) == 0 || len(unset) == 0 {
		return
	}
	c.refuse(place(root, set[0]), "", problem{
		code:     faults.ThemeIdentity,
		message:  "visitors see a mix of two brands: kora's own " + strings.Join(unset, ", ") + " beside your " + strings.Join(set, ", "),
		found:    "kora's default for " + strings.Join(unset, ", "),
		expected: "all of the identity values, or none of them",
		fix:      "set " + strings.Join(unset, ", ") + " too",
	})
}

// identity returns the paths of the identity values that the theme sets and of
// those it leaves at kora's default.
func (t *Theme) identity() (set, unset []string) {
	for _, s := range Settings() {
		switch {
		case !s.Identity:
		case t.values[s.Path] != "":
			set = append(set, s.Path)
		default:
			unset = append(unset, s.Path)
		}
	}
	return set, unset
}

// place is where the value at a path stands. None of the keys of an identity
// value has a dot in it.
func place(n *source.Node, path string) source.Pos {
	at := n.Pos
	for key := range strings.SplitSeq(path, ".") {
		f := n.Field(key)
		if f == nil {
			return at
		}
		n, at = f.Value, f.Key.Pos
	}
	return at
}
