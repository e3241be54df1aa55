package injection

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/runkora/kora/operator/rules"
)

// R54: nobody knows who asks, so that a pod which names a claim is told what is wrong with
// it and where that stands, and no name of what it was made of.
func TestNoAnswerTellsWhatAClaimIsOf(t *testing.T) {
	elsewhere := "kora-tenant-hidden"
	for name, of := range map[string]corev1.TypedObjectReference{
		"another's workspace": {Kind: "PersistentVolumeClaim", Name: "workspace-agent-hidden-0"},
		"another namespace":   {Kind: "HiddenKind", Name: "hidden", Namespace: &elsewhere},
	} {
		claim := &corev1.PersistentVolumeClaim{Spec: corev1.PersistentVolumeClaimSpec{DataSourceRef: &of}}
		claim.Name, claim.Namespace = "asked", "kora-tenant-a"
		said := rules.Message(copied(field.NewPath("spec"), claim, "coder"))
		if !strings.Contains(said, "asked") || !strings.Contains(said, "spec.dataSource") || strings.Contains(strings.ToLower(said), "hidden") {
			t.Errorf("%s: %q", name, said)
		}
	}
}
