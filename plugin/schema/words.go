package schema

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// words refuses every plain word that is a boolean to Helm and a text to others, as
// a value and as a key: the chart, the preview and an editor would not read the same (R20).
func (t *teller) words(n *source.Node, at fields.Path) {
	switch n.Kind {
	case source.Mapping:
		for _, f := range n.Fields {
			below := at.Child(f.Key.Value)
			if f.Key.AmbiguousBool() {
				t.refuse(word(f.Key, below, "a key in quotes"))
			}
			t.key(f.Key, below)
			t.words(f.Value, below)
		}
	case source.Sequence:
		for i, item := range n.Items {
			t.words(item, at.Index(i))
		}
	default:
		if n.AmbiguousBool() {
			t.refuse(word(n, at, "true or false"))
		}
		t.number(n, at)
	}
}

func word(n *source.Node, at fields.Path, expected string) faults.Fault {
	f := n.Pos.Fault(faults.AmbiguousBool, fmt.Sprintf("the plain word %s is a boolean to Helm and a text to other readers of YAML", n.Value))
	f.Field, f.Found, f.Expected = string(at), n.Value, expected
	f.Fix = fmt.Sprintf("write %q", n.Value)
	if expected == "true or false" {
		f.Fix = fmt.Sprintf("write true or false, or %q where a text is meant", n.Value)
	}
	return f
}
