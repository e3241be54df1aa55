package proof

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Mark is the mark of a namespace that is there, "v1:" and 64 hexadecimal digits.
func Mark(key []byte, n *corev1.Namespace) string {
	return mark(key, "namespace", n.Name, string(n.UID))
}

// Making is the mark with which a namespace is made for a KoraTenant: its UID is not
// known before. Mark takes its place at once.
func Making(key []byte, namespace string, tenant types.UID) string {
	return mark(key, "making", namespace, string(tenant))
}

// Tenant is the mark of a KoraTenant: whoever shows it has read the KoraTenant itself, as
// nothing else bears it. Its UID is told elsewhere too.
func Tenant(key []byte, t *v1alpha1.KoraTenant) string {
	return mark(key, "koratenant", t.Name, string(t.UID))
}

// Shows reports whether an object, as somebody shows it, bears the mark that the one
// which is there has. It needs no key: which one was the last to write it is no matter.
func Shows(shown, live metav1.Object) bool {
	mark := live.GetAnnotations()[v1alpha1.AnnotationMark]
	return mark != "" && Has(shown, v1alpha1.AnnotationMark, mark)
}

// In is the mark of something in a namespace, for one purpose: it is of these parts and
// no others, in this order, and of this namespace.
func In(key []byte, n *corev1.Namespace, purpose string, parts ...string) string {
	return mark(key, append([]string{"in " + purpose, n.Name, string(n.UID)}, parts...)...)
}

// Has reports whether an annotation holds a mark.
func Has(o metav1.Object, annotation, mark string) bool {
	return hmac.Equal([]byte(o.GetAnnotations()[annotation]), []byte(mark))
}

// Marked reports whether a namespace has its own mark.
func Marked(key []byte, n *corev1.Namespace) bool { return equal(n, Mark(key, n)) }

// Made reports whether a namespace was made for a KoraTenant, and is not marked yet.
func Made(key []byte, n *corev1.Namespace, tenant types.UID) bool {
	return equal(n, Making(key, n.Name, tenant))
}

func equal(o metav1.Object, want string) bool { return Has(o, v1alpha1.AnnotationMark, want) }

// mark is under a key of its own: what else the Secret's key hashes is never a mark.
func mark(key []byte, parts ...string) string {
	own := hmac.New(sha256.New, key)
	own.Write([]byte(v1alpha1.AnnotationMark))
	mac := hmac.New(sha256.New, own.Sum(nil))
	for _, p := range parts {
		fmt.Fprintf(mac, "%d:%s", len(p), p)
	}
	return "v1:" + hex.EncodeToString(mac.Sum(nil))
}
