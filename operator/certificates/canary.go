package certificates

import (
	"crypto/rand"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

const (
	canaryName = "kora-operator-canary"
	canaryMark = "runkora.io/canary"
)

// Canary is a SandboxImage that the webhook must refuse, and the mark by which its
// answer is known. It is only ever created in a dry run: the operator may create
// SandboxImages, and needs no further right for the proof.
func Canary(system string) (canary *v1alpha1.SandboxImage, mark string) {
	mark = rand.Text()
	return &v1alpha1.SandboxImage{
		ObjectMeta: metav1.ObjectMeta{Namespace: system, Name: canaryName, Annotations: map[string]string{canaryMark: mark}},
		Spec:       v1alpha1.SandboxImageSpec{Image: "canary.invalid/none:none"},
	}, mark
}

// CanaryAnswer is what the webhook says to the canary of a mark.
func CanaryAnswer(mark string) string { return "the webhook serves: " + mark }

// CanaryOf gives the mark of an object that is a canary.
func CanaryOf(o metav1.Object) (mark string, is bool) {
	mark, marked := o.GetAnnotations()[canaryMark]
	return mark[:min(len(mark), 64)], marked && o.GetName() == canaryName
}
