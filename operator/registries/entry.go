package registries

import (
	"crypto/sha256"
	"encoding/json"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// entry is what is kept of a ServiceEntry: enough to tell whether it is as it should be,
// and no more, however large somebody makes it.
type entry [sha256.Size]byte

// entryOf gives it, of the spec and of who alone owns it: a provider that was made anew is
// another.
func entryOf(o *unstructured.Unstructured) entry {
	owner := ""
	if owners := o.GetOwnerReferences(); len(owners) == 1 {
		owner = string(owners[0].UID)
	}
	text, _ := json.Marshal([]any{o.Object["spec"], owner}) // came as JSON, or is made of texts and numbers
	return sha256.Sum256(text)
}
