package registries

import (
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// entry is what is kept of a ServiceEntry: enough to tell whether it is as it should be,
// and no more, however large somebody makes it.
type entry struct {
	ports [sha256.Size]byte
	rest  [sha256.Size]byte // of all else that counts
	made  int64             // by the API server, in seconds of Unix
}

// entryOf gives it, of the spec, of who alone owns it, a provider that was made anew being
// another, and of the labels and annotations that count.
func entryOf(o *unstructured.Unstructured) entry {
	owner := ""
	if owners := o.GetOwnerReferences(); len(owners) == 1 {
		owner = string(owners[0].UID)
	}
	spec, _ := o.Object["spec"].(map[string]any)
	rest := maps.Clone(spec)
	delete(rest, "ports")
	return entry{sum(spec["ports"]), sum([]any{rest, owner, marks(o), foreign(o)}), o.GetCreationTimestamp().Unix()}
}

// marks are the labels that the operator writes, as somebody may have left them.
func marks(o *unstructured.Unstructured) map[string]string {
	out := map[string]string{}
	for _, key := range []string{v1alpha1.LabelManagedBy, v1alpha1.LabelPartOf, v1alpha1.LabelTenant, LabelProvider} {
		out[key] = o.GetLabels()[key]
	}
	return out
}

// foreign are the paths of Istio's own labels and annotations, sorted. The operator writes
// none, and the mesh goes by some: a revision's label hides the entry from all others, one of a
// waypoint leads its traffic elsewhere.
func foreign(o *unstructured.Unstructured) []string {
	var out []string
	for under, of := range map[string]map[string]string{"labels": o.GetLabels(), "annotations": o.GetAnnotations()} {
		for key := range of {
			if domain, _, _ := strings.Cut(key, "/"); domain == "istio.io" || strings.HasSuffix(domain, ".istio.io") {
				out = append(out, "/metadata/"+under+"/"+strings.ReplaceAll(key, "/", "~1"))
			}
		}
	}
	slices.Sort(out)
	return out
}

// sum is of what came as JSON, or is made of texts and numbers.
func sum(of any) [sha256.Size]byte {
	text, _ := json.Marshal(of)
	return sha256.Sum256(text)
}

// is reports whether an entry is as another should be.
func (e entry) is(want entry) bool { return e.ports == want.ports && e.rest == want.rest }
