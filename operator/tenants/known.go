package tenants

import (
	"context"
	"crypto/x509"
	"fmt"
	"slices"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/tenants/proof"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// known is how the operator knows the authority that it wrote from one that has only
// its form and its labels, which anybody can give it who may write Secrets in the
// namespace (R50): by a mark on the Secret, and one on the ConfigMap of what is trusted.
type known struct {
	*pass
	marks []byte // their key
}

// mark is the annotation of a Secret: it is of each certificate in its place, and of the
// Secret itself. Whoever deletes that ends all trust in what was in it, and nothing of
// before proves anything on the next one. Its UID is known when it is there: until then
// the mark is without.
func (k known) mark(s authority.State, of types.UID) map[string]string {
	next := ""
	if s.Next != nil {
		next = string(s.Next.PEM())
	}
	parts := []string{string(of), string(s.Current.PEM()), next, string(authority.State{Previous: s.Previous}.Bundle())}
	if len(s.Aside)+len(s.Ended) > 0 { // most have none, and the mark of before
		parts = append(parts, string(authority.State{Aside: s.Aside}.Bundle()), string(authority.State{Aside: s.Ended}.Bundle()))
	}
	return map[string]string{v1alpha1.AnnotationMark: proof.In(k.marks, k.namespace, "authority", parts...)}
}

// marked reports whether a Secret has the mark of a state; one that is not there has not.
func (k known) marked(secret *corev1.Secret, s authority.State) bool {
	return secret != nil && proof.Has(secret, v1alpha1.AnnotationMark, k.mark(s, secret.UID)[v1alpha1.AnnotationMark])
}

// made reports whether a Secret has the mark with which it is made, as after an operator
// that ended then. Nobody has seen it on another but who read that one's key.
func (k known) made(secret *corev1.Secret, s authority.State) bool {
	return proof.Has(secret, v1alpha1.AnnotationMark, k.mark(s, "")[v1alpha1.AnnotationMark])
}

// trusted is the ConfigMap of the trusted certificates of a Secret, without a key.
func (k known) trusted(s authority.State, of types.UID) upkeep.Thing {
	thing := k.configMap(v1alpha1.TenantCA, map[string]string{authority.KeyTrusted: string(s.Bundle())})
	thing.Want.SetAnnotations(map[string]string{v1alpha1.AnnotationMark: k.told(string(s.Bundle()), of)})
	return thing
}

func (k known) told(bundle string, of types.UID) string {
	return proof.In(k.marks, k.namespace, "trusted", string(of), bundle)
}

// state is the authority in a Secret, as far as the operator wrote it. In the place of
// one that it did not write, foreign says so, and the state has what was published and
// may not end with it: what it signed is in use. With a Secret that is gone goes all
// trust: so a person ends the trust in a key that leaked.
func (k known) state(ctx context.Context, secret *corev1.Secret) (s authority.State, foreign string, err error) {
	if secret == nil {
		return authority.State{}, "", nil
	}
	read, unread := authority.Parse(secret.Data)
	if unread == nil && (k.marked(secret, read) || k.made(secret, read)) {
		return read, "", nil
	}
	all, sound, err := k.published(ctx, secret.UID)
	if err != nil {
		return s, "", err
	}
	if unread == nil && (sound || !k.since()) {
		if s, is := within(read, all); is {
			return s, "", nil
		}
	}
	if foreign = "what is in the Secret is not of kora's making"; unread != nil {
		foreign = fmt.Sprintf("what is in the Secret cannot be read (%v)", unread)
	}
	if sound {
		s.Previous = all
	}
	return s, foreign, nil
}

// is reports whether a Secret holds the tenant's authority, with its key.
func (k known) is(ctx context.Context, secret *corev1.Secret) (bool, error) {
	s, _, err := k.state(ctx, secret)
	return s.Current != nil, err
}

// published are the certificates that everybody is told to trust, and whether the
// operator wrote them beside this Secret.
func (k known) published(ctx context.Context, of types.UID) (all []*x509.Certificate, sound bool, err error) {
	open := &corev1.ConfigMap{}
	if err := k.live.Get(ctx, client.ObjectKey{Namespace: k.namespace.Name, Name: v1alpha1.TenantCA}, open); err != nil {
		return nil, false, client.IgnoreNotFound(err)
	}
	bundle := open.Data[authority.KeyTrusted]
	if all, err = authority.ParseBundle(bundle); err != nil {
		return nil, false, nil // somebody's: it is written anew
	}
	return all, proof.Has(open, v1alpha1.AnnotationMark, k.told(bundle, of)), nil
}

// within is what a state has of the certificates that were published: the ConfigMap is
// the witness of a Secret without a mark. Without the one that signs it is nothing.
func within(s authority.State, all []*x509.Certificate) (authority.State, bool) {
	told := func(c *x509.Certificate) bool { return slices.ContainsFunc(all, c.Equal) }
	if !told(s.Current.Certificate) {
		return authority.State{}, false
	}
	if s.Next != nil && !told(s.Next.Certificate) {
		s.Next = nil
	}
	s.Previous = slices.DeleteFunc(slices.Clone(s.Previous), func(c *x509.Certificate) bool { return !told(c) })
	s.Aside = slices.DeleteFunc(slices.Clone(s.Aside), func(p *authority.Pair) bool { return !told(p.Certificate) })
	s.Ended = nil // nobody is told to trust them
	return s, true
}

// since reports whether the authority in the namespace has marks. An operator of before
// gave none, and one whose key is lost cannot read them: then the ConfigMap's word is
// taken, this once, so that no trust ends with an upgrade.
func (k known) since() bool {
	return proof.Has(k.namespace, v1alpha1.AnnotationAuthorityMarked, authorityMarked(k.marks, k.namespace))
}

// from records that it has, where only who may change namespaces can write.
func (k known) from(ctx context.Context) error {
	if k.since() {
		return nil
	}
	before := k.namespace.DeepCopy()
	k.namespace.Annotations[v1alpha1.AnnotationAuthorityMarked] = authorityMarked(k.marks, k.namespace)
	return k.client.Patch(ctx, k.namespace, client.MergeFrom(before), client.FieldOwner(v1alpha1.Operator))
}

func authorityMarked(key []byte, n *corev1.Namespace) string { return proof.In(key, n, "marked") }
