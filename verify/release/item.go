package release

import "github.com/runkora/kora/verify/lock"

// The kinds of items.
const (
	Chart      = "chart"
	Image      = "image"
	File       = "file"
	Provenance = "provenance"
)

// Item is one artifact, and what is to be shown of it.
type Item struct {
	// What is Chart, Image, File or Provenance.
	What string
	// Ref is a reference, or the path of a file.
	Ref string
	// Bundle is the path of a file's evidence.
	Bundle string
	// Missing is why the item is known not to be there; empty when it is.
	Missing string
	// Locked is what a lock says of the item, nil without one.
	Locked *lock.Artifact
}
