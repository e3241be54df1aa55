package proof_test

import (
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/tenants/proof"
	corev1 "k8s.io/api/core/v1"
)

// R50: a mark is of one namespace, of one key and of one purpose.
func TestAMarkIsOfOneNamespace(t *testing.T) {
	key, other := []byte("0123456789abcdef0123456789abcdef"), []byte("x123456789abcdef0123456789abcdef")
	n := &corev1.Namespace{}
	n.Name, n.UID = "kora-tenant-data", "u-1"
	n.Annotations = map[string]string{v1alpha1.AnnotationMark: proof.Mark(key, n)}
	if !proof.Marked(key, n) {
		t.Error("its own mark is none")
	}
	for name, change := range map[string]func(*corev1.Namespace){
		"another name":     func(n *corev1.Namespace) { n.Name = "kora-tenant-evil" },
		"another UID":      func(n *corev1.Namespace) { n.UID = "u-2" },
		"moved letters":    func(n *corev1.Namespace) { n.Name, n.UID = "kora-tenant-dat", "au-1" },
		"none":             func(n *corev1.Namespace) { n.Annotations = nil },
		"empty":            func(n *corev1.Namespace) { n.Annotations[v1alpha1.AnnotationMark] = "" },
		"another key":      func(n *corev1.Namespace) { n.Annotations[v1alpha1.AnnotationMark] = proof.Mark(other, n) },
		"of its making":    func(n *corev1.Namespace) { n.Annotations[v1alpha1.AnnotationMark] = proof.Making(key, n.Name, n.UID) },
		"the old constant": func(n *corev1.Namespace) { n.Annotations[v1alpha1.AnnotationMark] = "retained" },
		"cut": func(n *corev1.Namespace) {
			n.Annotations[v1alpha1.AnnotationMark] = n.Annotations[v1alpha1.AnnotationMark][:60]
		},
		"one for all names": func(n *corev1.Namespace) { n.Name = "" },
	} {
		o := n.DeepCopy()
		change(o)
		if proof.Marked(key, o) {
			t.Errorf("%s proves it", name)
		}
	}
	n.Annotations[v1alpha1.AnnotationMark] = proof.In(key, n, "it", "a", "bc")
	if !proof.Has(n, v1alpha1.AnnotationMark, proof.In(key, n, "it", "a", "bc")) {
		t.Error("the mark of what is in it is none")
	}
	elsewhere := n.DeepCopy()
	elsewhere.UID = "u-2"
	for name, mark := range map[string]string{
		"of another purpose": proof.In(key, n, "that", "a", "bc"), "of moved letters": proof.In(key, n, "it", "ab", "c"), "of more": proof.In(key, n, "it", "a", "bc", ""),
		"of another key": proof.In(other, n, "it", "a", "bc"), "of another namespace": proof.In(key, elsewhere, "it", "a", "bc"), "of the namespace": proof.Mark(key, n),
		"of nothing": "",
	} {
		if proof.Has(n, v1alpha1.AnnotationMark, mark) {
			t.Errorf("one %s is taken for it", name)
		}
	}
	n.Annotations[v1alpha1.AnnotationMark] = proof.Making(key, n.Name, "t-1")
	if !proof.Made(key, n, "t-1") || proof.Made(key, n, "t-2") || proof.Made(other, n, "t-1") || proof.Marked(key, n) {
		t.Error("the mark of its making is another")
	}
}

// R50, R54: the mark of a KoraTenant is of that one, and is shown by what bears the very
// mark of the one that is there: one without a mark is shown by nothing.
func TestAMarkShowsWhatWasRead(t *testing.T) {
	key, other := []byte("0123456789abcdef0123456789abcdef"), []byte("x123456789abcdef0123456789abcdef")
	o := &v1alpha1.KoraTenant{}
	o.Name, o.UID = "data", "u-1"
	namespace := &corev1.Namespace{}
	namespace.Name, namespace.UID = o.Name, o.UID
	again, renamed := o.DeepCopy(), o.DeepCopy()
	again.UID, renamed.Name = "u-2", "dat"
	own := proof.Tenant(key, o)
	bears := func(mark string) *v1alpha1.KoraTenant {
		is := o.DeepCopy()
		is.Annotations = map[string]string{v1alpha1.AnnotationMark: mark}
		return is
	}
	for _, mark := range []string{"", own[:60], "v1:", proof.Tenant(other, o), proof.Tenant(key, again), proof.Tenant(key, renamed), proof.Mark(key, namespace), proof.Making(key, o.Name, o.UID)} {
		if mark == own || proof.Shows(bears(mark), bears(own)) || proof.Shows(bears(own), bears(mark)) {
			t.Errorf("%q is taken for its own", mark)
		}
	}
	if !proof.Shows(bears(own), bears(own)) || proof.Shows(bears(""), bears("")) || proof.Shows(o, o) {
		t.Error("its own mark shows nothing, or none shows it")
	}
}
