package values

import (
	"io"
	"os"
	"slices"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// Input is where values come from: files first, then flags, each in the order
// of the command line. A file "-" is read from Stdin.
type Input struct {
	Files []string
	Flags []Flag
	Stdin io.Reader
	// Root, where it is set, is the folder that all files are read in, also those
	// of flags, and nothing leads out of it (R43).
	Root *os.Root
	// More are documents that were read already. They lie over Files and below
	// Flags. Found is what was wrong with them.
	More  []*source.Node
	Found faults.List
	// Agree, where it is set, is asked what of the files contradicts More, which
	// would overrule them without a word.
	Agree func(*Tree) faults.List
}

// Load reads and merges all values (R20). The tree is never nil and holds what
// could be read, so that its own faults can be reported together with the list's
// (R15). A flag that is refused sets nothing.
//
// Three things differ from Helm. Flags apply in the order of the command line,
// where Helm sorts them by kind. An explicit null is absent from then on, also for
// a later flag that sets a value below it, where Helm panics inside and fails.
// And a flag that sets nothing, such as "--set a.=b", is refused.
func Load(in Input) (*Tree, faults.List) {
	l := &loader{files: &reader{stdin: in.Stdin, root: in.Root}, root: &source.Node{Kind: source.Mapping},
		found: slices.Clone(in.Found), partial: in.Found.Refused()}
	for _, path := range in.Files {
		l.file(path)
	}
	if in.Agree != nil {
		l.refuse(in.Agree(&Tree{root: l.root})...)
	}
	for _, n := range in.More {
		l.document(n)
	}
	for _, f := range in.Flags {
		l.flag(f)
	}
	return &Tree{root: l.root, removed: effective(l.root, l.removed), partial: l.partial}, finished(l.found)
}

// Read reads the text of one values file, such as a chart's own.
func Read(f *source.File) (*Tree, faults.List) {
	l := &loader{root: &source.Node{Kind: source.Mapping}}
	l.text(f)
	return &Tree{root: l.root, removed: effective(l.root, l.removed)}, finished(l.found)
}

// loader is one Load: the tree so far and the faults so far.
type loader struct {
	files   *reader
	root    *source.Node
	indexed int // items that flags made by an index, see indexes
	removed []Leaf
	partial bool // something could not be read
	found   faults.List
}

func (l *loader) refuse(f ...faults.Fault) { l.found = append(l.found, f...) }

// file merges one values file over the tree. What could be read of a file with
// faults is merged too: the run is refused anyway, and more is found.
func (l *loader) file(path string) {
	f, found := l.files.read(path)
	l.refuse(found...)
	if f == nil {
		l.partial = true
		return
	}
	l.text(f)
}

func (l *loader) text(f *source.File) {
	docs, found := source.Parse(f, source.DefaultLimits)
	l.refuse(unread(f, found)...)
	if second := secondDocument(docs); second != nil {
		l.refuse(severalDocuments(second))
	}
	if len(docs) > 0 {
		l.document(docs[0])
	}
	l.partial = l.partial || docs == nil && found.Refused()
}

func (l *loader) document(n *source.Node) {
	if n.Kind == source.Mapping {
		l.nullPatches(n)
		l.nulls(n, "")
		l.root = merge(l.root, n)
		return
	}
	l.partial = true
	f := n.Pos.Fault(faults.WrongType, "a values file holds a map of keys to values")
	f.Found, f.Expected = n.Kind.String(), source.Mapping.String()
	l.refuse(f)
}
