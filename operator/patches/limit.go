package patches

import (
	"fmt"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/source"
)

// MaxEntries is how many patches one install may have.
const MaxEntries = 1000

// budget bounds what all patches together may hold: a ConfigMap's megabyte as
// text, and once aliases are expanded as many values as one document may have.
// Each patch alone is within source's limits; a thousand of them would not be.
type budget struct{ bytes, values int }

func newBudget() *budget {
	return &budget{source.DefaultLimits.Bytes, source.DefaultLimits.Nodes}
}

// spend takes a text and its documents off, and reports what there was too
// much of: "" while all is well.
func (b *budget) spend(text string, docs []*source.Node) string {
	b.bytes -= len(text)
	for _, d := range docs {
		b.values -= count(d)
	}
	switch {
	case !b.spent():
		return ""
	case b.bytes < 0:
		return fmt.Sprintf("more than %d bytes", source.DefaultLimits.Bytes)
	}
	return fmt.Sprintf("more than %d YAML values, aliases expanded", source.DefaultLimits.Nodes)
}

func (b *budget) spent() bool { return b.bytes < 0 || b.values < 0 }

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
	f.Found, f.Expected = found, fmt.Sprintf("at most %d bytes and %d values", source.DefaultLimits.Bytes, source.DefaultLimits.Nodes)
	return f
}
