package verify

// Resolved is what is known of an artifact besides its digest: what it is, and
// what its reference led to.
type Resolved struct {
	// What is "chart", "image", "file" or "provenance".
	What string `json:"what"`
	// Tag is the one that was resolved to the digest, once; empty where the
	// reference had a digest.
	Tag string `json:"tag,omitempty"`
	// MediaType is that of the manifest.
	MediaType string `json:"mediaType,omitempty"`
	// Index tells that the digest is that of an index of several platforms,
	// and so the signature too.
	Index bool `json:"index,omitempty"`
}
