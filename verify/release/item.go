package release

import (
	"path/filepath"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/verify/lock"
)

// The kinds of items.
const (
	Chart      = "chart"
	Image      = "image"
	File       = "file"
	Provenance = "provenance"
	// Artifact is a Chart or an Image, whichever its registry has.
	Artifact = "artifact"
)

// Item is one artifact, and what is to be shown of it.
type Item struct {
	// What is one of the kinds.
	What string
	// Ref is a reference, or the path of a file.
	Ref string
	// Bundle is the path of a file's evidence.
	Bundle string
	// Missing is why the item is known not to be there; empty when it is.
	Missing string
	// Found is what is wrong with the item before anything is asked: it is
	// refused, or could not be checked, as its faults say.
	Found faults.List
	// Chart is the chart that a file has to be, nil for any file.
	Chart *Named
	// Tagged holds a tag beside a digest to that digest, as a release's own list
	// has it; else the digest alone counts.
	Tagged bool
	// List and Line are where a list of images names the item; "" and 0 elsewhere.
	List string
	Line int
	// Locked is what a lock says of the item, nil without one.
	Locked *lock.Artifact
}

// Named is a chart by its own name and version.
type Named struct{ Name, Version string }

// key is the same for two names of one thing.
func (i Item) key() string {
	if i.What == File || i.What == Provenance {
		return i.What + " " + filepath.Clean(i.Ref)
	}
	return i.What + " " + lock.Normal(i.Ref)
}
