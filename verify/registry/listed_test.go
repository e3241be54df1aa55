package registry

import "testing"

// R45, R49: a list of referrers that is null is an empty one, as programs in Go write
// it; what is no list at all stays wrong, and is not taken for nothing.
func TestAnEmptyListOfReferrers(t *testing.T) {
	const index = `"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json"`
	for text, good := range map[string]bool{
		`{` + index + `,"manifests":null}`:             true,
		`{` + index + `,"manifests":[]}`:               true,
		`{` + index + `,"config":{},"manifests":null}`: false,
		`{"schemaVersion":2,"manifests":null}`:         false,
		`{}`:                                           false,
		`[]`:                                           false,
		`null`:                                         false,
	} {
		if all, err := listed([]byte(text)); (err == nil) != good || len(all) != 0 {
			t.Errorf("%s: %v, %v", text, all, err)
		}
	}
}
