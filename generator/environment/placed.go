package environment

import (
	"strings"

	"github.com/runkora/kora/internal/source"
)

// Placed is an environment and where it was read: the file, and the place of
// each fact that the file has.
type Placed struct {
	*Environment
	File string
	root *source.Node
}

// At is the place of a fact, such as "istio.revision"; without a file where the
// environment leaves it out.
func (p Placed) At(path string) source.Pos {
	n := p.root
	for key := range strings.SplitSeq(path, ".") {
		n = n.Get(key)
	}
	if n == nil {
		return source.Pos{}
	}
	return n.Pos
}

// At is what an environment says of a fact, out of its Map.
func At(facts map[string]any, path string) any {
	var v any = facts
	for key := range strings.SplitSeq(path, ".") {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}
