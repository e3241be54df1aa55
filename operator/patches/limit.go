package patches

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// MaxEntries is how many patches one install may have.
const MaxEntries = 1000

// kustomize takes time by the square of how long a list is and of how often
// it is written: these keep the worst of patches to seconds.
const (
	maxEdits = 2000 // merge documents and operations, of all patches
	maxItems = 500  // of one list in a patch, that of its operations too
)

// budget bounds what all patches together may hold: a ConfigMap's megabyte as
// text, and once aliases are expanded as many values as one document may have.
// Each patch alone is within source's limits; a thousand of them would not be.
type budget struct{ bytes, values, edits int }

func newBudget() *budget {
	return &budget{source.DefaultLimits.Bytes, source.DefaultLimits.Nodes, maxEdits}
}

// spend takes a text and its documents off, and reports what there was too
// much of: "" while all is well.
func (b *budget) spend(text string, docs []*source.Node) string {
	b.bytes -= len(text)
	for _, d := range docs {
		b.values -= count(d)
		b.edits -= max(1, len(d.Items))
	}
	switch {
	case !b.spent():
		return ""
	case b.bytes < 0:
		return fmt.Sprintf("more than %d bytes", source.DefaultLimits.Bytes)
	case b.edits < 0:
		return fmt.Sprintf("more than %d documents and operations", maxEdits)
	}
	return fmt.Sprintf("more than %d YAML values, aliases expanded", source.DefaultLimits.Nodes)
}

func (b *budget) spent() bool { return b.bytes < 0 || b.values < 0 || b.edits < 0 }

// overlong returns the first list that is too long, nil where none is.
func overlong(n *source.Node) *source.Node {
	if len(n.Items) > maxItems {
		return n
	}
	for _, item := range n.Items {
		if found := overlong(item); found != nil {
			return found
		}
	}
	for _, f := range n.Fields {
		if found := overlong(f.Value); found != nil {
			return found
		}
	}
	return nil
}

func tooLong(list *source.Node) faults.Fault {
	f := list.Pos.Fault(faults.PatchLimit, "the list is too long")
	f.Found, f.Expected = fmt.Sprintf("%d items", len(list.Items)), fmt.Sprintf("at most %d", maxItems)
	return f
}

func count(n *source.Node) int {
	total := 1
	for _, f := range n.Fields {
		total += 1 + count(f.Value)
	}
	for _, item := range n.Items {
		total += count(item)
	}
	return total
}

func tooLarge(at source.Pos, found string) faults.Fault {
	f := at.Fault(faults.PatchLimit, "the patches up to here are too large in all")
	f.Found, f.Fix = found, "merge patches of one target, and write out what aliases stand for"
	return f
}
