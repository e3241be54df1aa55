package environment

import (
	"go.yaml.in/yaml/v3"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// dates refuses plain texts that Helmfile's reader of YAML takes for a time, such
// as the name 2024-01-01: its templates would print another text than Argo CD's.
func dates(n *source.Node, at fields.Path) faults.List {
	var found faults.List
	for _, f := range n.Fields {
		found = append(found, date(f.Key, at.Child(f.Key.Value))...)
		found = append(found, dates(f.Value, at.Child(f.Key.Value))...)
	}
	for i, item := range n.Items {
		found = append(found, dates(item, at.Index(i))...)
	}
	return append(found, date(n, at)...)
}

func date(n *source.Node, at fields.Path) faults.List {
	if !isDate(n) {
		return nil
	}
	f := n.Pos.Fault(faults.EnvironmentForm, "the plain text "+n.Value+" is a date to Helmfile, and a text to others")
	f.Field, f.Found, f.Expected, f.Fix = string(at), n.Value, "a text in quotes", "write \""+n.Value+"\""
	return faults.List{f}
}

func isDate(n *source.Node) bool {
	return n.Kind == source.Scalar && n.Plain && (&yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}).ShortTag() == "!!timestamp"
}
