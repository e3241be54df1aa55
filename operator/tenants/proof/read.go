package proof

import (
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
)

// Read is the mark of what the operator read of a SandboxImage (R52), "v1:" and 64
// hexadecimal digits: of this object, the reference that it has, and the digest, the
// platforms and the moment of its status. Whoever may write statuses cannot make it.
func Read(key []byte, i *v1alpha1.SandboxImage) string {
	at := ""
	if i.Status.CheckedAt != nil {
		at = i.Status.CheckedAt.UTC().Format(time.RFC3339)
	}
	parts := []string{"sandboximage", i.Namespace, i.Name, string(i.UID), i.Spec.Image, i.Status.Digest, at}
	return mark(key, append(parts, i.Status.Platforms...)...)
}

// WasRead reports whether the operator itself read what the status says of an image.
func WasRead(key []byte, i *v1alpha1.SandboxImage) bool {
	return i.Status.Digest != "" && equal(i, Read(key, i))
}
