package environment

import (
	"regexp"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
	"github.com/runkora/kora/internal/source"
)

// reference is what Helmfile takes for the place of a value, anywhere in a text, and
// puts the value of that place in: ref+vault://…, secretref+file://… and the like.
var reference = regexp.MustCompile(`(?:secret)?ref\+[^+:]*://[^+\n ]`)

// Otherwise is a fault for each text of a person's values that Helmfile reads
// otherwise than Helm and Argo CD do, so that one file would install two things: a
// plain text that is a date, also as a key, and a reference that Helmfile alone
// resolves (R44). The value of a reference is not shown.
func Otherwise(values *source.Node) faults.List {
	if values == nil {
		return nil
	}
	return append(dates(values, ""), references(values, "")...)
}

func references(n *source.Node, at fields.Path) faults.List {
	var found faults.List
	for _, f := range n.Fields {
		found = append(found, references(f.Value, at.Child(f.Key.Value))...)
	}
	for i, item := range n.Items {
		found = append(found, references(item, at.Index(i))...)
	}
	if n.Kind != source.Scalar || !reference.MatchString(n.Value) {
		return found
	}
	f := n.Pos.Fault(faults.EnvironmentForm, "Helmfile would put what this reference names in its place, and Helm and Argo CD the reference itself")
	f.Source, f.SourceFrom = "", 0
	f.Field, f.Found, f.Expected = string(at), "a reference with ref+", "a text that all of them take as it is"
	f.Fix = "name a Secret of the cluster where the chart takes one, or write the value itself"
	return append(found, f)
}
