package release

import (
	"iter"

	"k8s.io/client-go/kubernetes/scheme"
)

// Kinds are those of Kubernetes' types, "VERSION KIND".
func Kinds() iter.Seq[string] {
	return func(yield func(string) bool) {
		for gvk := range scheme.Scheme.AllKnownTypes() {
			if !yield(gvk.GroupVersion().String() + " " + gvk.Kind) {
				return
			}
		}
	}
}
