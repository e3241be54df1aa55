package release

import (
	"strings"

	"github.com/runkora/kora/internal/source"
)

// patchesName is the ConfigMap with an entry a key, as kora-agents reads them.
const patchesName = "kora-agents-manifest-patches"

// patch looks into one entry: into its merge documents as into objects, and into
// its operations. An agent type need not exist for its image to be of the release.
func (all images) patch(n *source.Node) {
	for _, entry := range documentsOf(n) {
		for _, d := range documentsOf(entry.Get("patch")) {
			all.object(d)
			for _, operation := range d.Items {
				all.operation(operation)
			}
		}
	}
}

// operation puts the value where its path leads, and looks at it there.
func (all images) operation(n *source.Node) {
	path, value := n.Get("path"), n.Get("value")
	if path == nil || value == nil {
		return
	}
	steps := strings.Split(path.Value, "/")
	last, before := steps[len(steps)-1], ""
	if len(steps) > 1 {
		before = steps[len(steps)-2]
	}
	switch {
	case before == "image" && last == "reference":
		all.add(value)
	case before == "args", before == "command":
		all.field(before, &source.Node{Kind: source.Sequence, Items: []*source.Node{value}})
	case last == "value" && wholeReference(value.Value):
		all.add(value) // of a variable whose name the operation does not say
	default:
		all.field(strings.NewReplacer("~1", "/", "~0", "~").Replace(last), value)
	}
}

// wholeReference tells whether a text is a whole reference: registry, name, and a tag or a
// digest.
func wholeReference(text string) bool {
	host, rest, cut := strings.Cut(text, "/")
	return cut && strings.ContainsAny(host, ".:") && strings.ContainsAny(rest, ":@") && !strings.ContainsAny(text, " \t\n") && !strings.Contains(text, "://")
}

func documentsOf(n *source.Node) []*source.Node {
	if n == nil {
		return nil
	}
	docs, found := source.Parse(source.NewFile("", n.Value), documentLimits)
	if found.Refused() {
		return nil // the patch is refused by its own rules
	}
	return docs
}
