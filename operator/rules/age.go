package rules

import (
	"cmp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ByAge orders objects by who was there first, which is what counts between two that
// want the same; of the same second the name decides.
func ByAge[O metav1.Object](a, b O) int {
	at := a.GetCreationTimestamp()
	return cmp.Or(at.Compare(b.GetCreationTimestamp().Time), strings.Compare(a.GetName(), b.GetName()))
}
