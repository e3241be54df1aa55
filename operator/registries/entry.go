package registries

import (
	"crypto/sha256"
	"encoding/json"
	"maps"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// entry is what is kept of a ServiceEntry: enough to tell whether it is as it should be,
// and no more, however large somebody makes it.
type entry struct {
	ports [sha256.Size]byte
	rest  [sha256.Size]byte // of all else that counts
	made  int64             // by the API server, in seconds of Unix
}

// entryOf gives it, of the spec and of who alone owns it: a provider that was made anew is
// another.
func entryOf(o *unstructured.Unstructured) entry {
	owner := ""
	if owners := o.GetOwnerReferences(); len(owners) == 1 {
		owner = string(owners[0].UID)
	}
	spec, _ := o.Object["spec"].(map[string]any)
	rest := maps.Clone(spec)
	delete(rest, "ports")
	return entry{sum(spec["ports"]), sum([]any{rest, owner}), o.GetCreationTimestamp().Unix()}
}

// sum is of what came as JSON, or is made of texts and numbers.
func sum(of any) [sha256.Size]byte {
	text, _ := json.Marshal(of)
	return sha256.Sum256(text)
}

// is reports whether an entry is as another should be.
func (e entry) is(want entry) bool { return e.ports == want.ports && e.rest == want.rest }
