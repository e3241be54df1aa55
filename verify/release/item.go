package release

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
	// From is what Ref is fetched from where that is not Ref: a mirror.
	From string
	// Bundle is the path of a file's evidence.
	Bundle string
	// Missing is why the item is known not to be there; empty when it is.
	Missing string
}
