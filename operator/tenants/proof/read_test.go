package proof_test

import (
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/tenants/proof"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R52: the mark of a read is of one image, of its reference, and of all that sandboxes
// go by in its status.
func TestAReadIsMarked(t *testing.T) {
	key, other := []byte("0123456789abcdef0123456789abcdef"), []byte("x123456789abcdef0123456789abcdef")
	at := metav1.NewTime(time.Date(2027, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)))
	i := &v1alpha1.SandboxImage{}
	i.Namespace, i.Name, i.UID, i.Spec.Image = "kora-tenant-a", "root", "u-1", "ghcr.io/a/b:1"
	i.Status.Digest, i.Status.Platforms, i.Status.CheckedAt = "sha256:a", []string{"linux/amd64", "linux/arm64"}, &at
	i.Annotations = map[string]string{v1alpha1.AnnotationMark: proof.Read(key, i)}
	utc := metav1.NewTime(at.UTC())
	if i.Status.CheckedAt = &utc; !proof.WasRead(key, i) || proof.WasRead(other, i) {
		t.Error("its own mark is none, or another key's is one")
	}
	for name, change := range map[string]func(*v1alpha1.SandboxImage){
		"another namespace": func(i *v1alpha1.SandboxImage) { i.Namespace = "kora-tenant-b" },
		"another name":      func(i *v1alpha1.SandboxImage) { i.Name = "good" },
		"made anew":         func(i *v1alpha1.SandboxImage) { i.UID = "u-2" },
		"another reference": func(i *v1alpha1.SandboxImage) { i.Spec.Image = "ghcr.io/a/b:2" },
		"another digest":    func(i *v1alpha1.SandboxImage) { i.Status.Digest = "sha256:b" },
		"no digest":         func(i *v1alpha1.SandboxImage) { i.Status.Digest = "" },
		"no digest, and a mark": func(i *v1alpha1.SandboxImage) {
			i.Status.Digest = ""
			i.Annotations[v1alpha1.AnnotationMark] = proof.Read(key, i)
		},
		"fewer platforms":  func(i *v1alpha1.SandboxImage) { i.Status.Platforms = i.Status.Platforms[:1] },
		"platforms in one": func(i *v1alpha1.SandboxImage) { i.Status.Platforms = []string{"linux/amd64linux/arm64"} },
		"a later moment": func(i *v1alpha1.SandboxImage) {
			later := metav1.NewTime(at.Add(time.Hour))
			i.Status.CheckedAt = &later
		},
		"no moment":              func(i *v1alpha1.SandboxImage) { i.Status.CheckedAt = nil },
		"no mark":                func(i *v1alpha1.SandboxImage) { i.Annotations = nil },
		"a mark of another key":  func(i *v1alpha1.SandboxImage) { i.Annotations[v1alpha1.AnnotationMark] = proof.Read(other, i) },
		"moved to the reference": func(i *v1alpha1.SandboxImage) { i.Spec.Image, i.Status.Digest = "ghcr.io/a/b:1sha256:", "a" },
	} {
		o := i.DeepCopy()
		if change(o); proof.WasRead(key, o) {
			t.Errorf("%s: it counts as read", name)
		}
	}
}
