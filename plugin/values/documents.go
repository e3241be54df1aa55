package values

import (
	"strings"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// secondDocument is the first of a file's documents with something in it that Helm
// would not read, nil where there is none: it reads the first alone, also where
// that is empty.
func secondDocument(docs []*source.Node) *source.Node {
	switch {
	case len(docs) > 0 && !first(docs[0]):
		return docs[0]
	case len(docs) > 1:
		return docs[1]
	}
	return nil
}

// first reports whether nothing but comments and directives stands before a document.
func first(n *source.Node) bool {
	marker := n.Marker()
	for line := 1; line < marker.Line; line++ {
		text := strings.TrimSpace(marker.File.Line(line))
		if text != "" && text != "..." && text[0] != '#' && text[0] != '%' {
			return false
		}
	}
	return true
}

// severalDocuments: Helm reads the first alone and says nothing of the others.
func severalDocuments(second *source.Node) faults.Fault {
	f := second.Marker().Fault(faults.YAMLSyntax, "a second YAML document starts in a values file")
	f.Expected = "one document"
	f.Fix = "remove the line ---, or put the second document into a file of its own"
	return f
}
