package registries

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
)

// facts are what is kept of a Secret: nothing that its values could be learned from.
type facts struct {
	absent bool
	own    bool // the operator's: a certificate authority, or a copy of a pull Secret
	denied bool // the operator has no right yet, or:
	silent bool // the API server failed, or cannot be reached
	kind   corev1.SecretType
	keys   map[string]fact
	pair   bool // tls.crt and tls.key belong together
}

type fact struct {
	hash  []byte // keyed
	empty bool
	plain bool // no control characters: fit for a header
}

// learn keeps the facts of a Secret's values, hashed with a key.
func learn(key []byte, s *corev1.Secret) facts {
	if s.Name == v1alpha1.TenantCA || s.Name == v1alpha1.EgressCA || s.Labels[v1alpha1.LabelManagedBy] == v1alpha1.Operator {
		return facts{own: true}
	}
	f := facts{kind: s.Type, keys: make(map[string]fact, len(s.Data))}
	if !rules.Sent(s.Type, true) && !rules.Sent(s.Type, false) {
		return f // nobody is to learn from a status which keys it has
	}
	for name, value := range s.Data {
		f.keys[name] = fact{hash: keyed(key, []byte(s.Namespace), []byte(s.Name), []byte(name), value), empty: len(value) == 0, plain: plain(value)}
	}
	if cert, private := s.Data[v1alpha1.TLSCertKey], s.Data[v1alpha1.TLSPrivateKeyKey]; len(cert) > 0 && len(private) > 0 {
		_, err := tls.X509KeyPair(cert, private) // its error is not shown: it may quote
		f.pair = err == nil
	}
	return f
}

func plain(value []byte) bool {
	for _, b := range value {
		if b < ' ' || b == 0x7f {
			return false
		}
	}
	return true
}

// keyed is a hash of parts, each with its length, that nobody without the key can try out.
func keyed(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, p := range parts {
		fmt.Fprintf(mac, "%d:", len(p))
		mac.Write(p)
	}
	return mac.Sum(nil)
}

// hash of the keys that a resource needs.
func (f facts) hash(key []byte, n *need) string {
	var parts [][]byte
	for _, name := range n.keys {
		parts = append(parts, []byte(name), f.keys[name].hash)
	}
	return "hmac-sha256:" + hex.EncodeToString(keyed(key, parts...))
}

// judge gives the fault of a Secret for a resource, nil when it has what is needed.
func (f facts) judge(n *need) *status.Verdict {
	bad := func(reason, format string, args ...any) *status.Verdict {
		v := status.Bad(reason, format, args...)
		return &v
	}
	switch {
	case f.denied:
		return bad(v1alpha1.ReasonFailed, "%s.name: the Secret %q could not be read: the operator tries again by itself", n.field, n.secret)
	case f.absent:
		return bad(v1alpha1.ReasonReferenceNotFound, "%s.name: there is no Secret %q in this namespace, and Secrets of other namespaces are never read: create it here, or correct the name", n.field, n.secret)
	}
	if f.own {
		return bad(v1alpha1.ReasonInvalid, "%s.name: the Secret %q is the operator's own, and no service is given what is in it: name a Secret of yours", n.field, n.secret)
	}
	if !rules.Sent(f.kind, n.pair) {
		return bad(v1alpha1.ReasonInvalid, "%s.name: the Secret %q is of the type %.80q, whose values no service sends anywhere: name one of the type %s, made for this", n.field, n.secret, f.kind, sendable(n))
	}
	if lacking := f.lacking(n); lacking != nil {
		at := n.field + ".name"
		if n.keyed {
			at = n.field + ".key"
		}
		return bad(v1alpha1.ReasonSecretKeyMissing, "%s: the Secret %q has no value under %s: add it to the Secret, or correct the reference", at, n.secret, strings.Join(lacking, " and "))
	}
	for _, name := range n.keys {
		if n.header && !f.keys[name].plain {
			return bad(v1alpha1.ReasonInvalid, "%s: the value under %q of the Secret %q has a line break or another control character, which no HTTP header carries: write it without, as printf does and echo does not", n.field, name, n.secret)
		}
	}
	if n.pair && !f.pair {
		return bad(v1alpha1.ReasonInvalid, "%s.name: %s and %s of the Secret %q are no certificate in PEM with its own private key: make it with kubectl create secret tls", n.field, v1alpha1.TLSCertKey, v1alpha1.TLSPrivateKeyKey, n.secret)
	}
	return nil
}

// sendable are the types that a resource may name.
func sendable(n *need) string {
	if n.pair {
		return fmt.Sprintf("%s or %s", corev1.SecretTypeOpaque, corev1.SecretTypeTLS)
	}
	return fmt.Sprintf("%s or %s", corev1.SecretTypeOpaque, corev1.SecretTypeBasicAuth)
}

func (f facts) lacking(n *need) []string {
	var keys []string
	for _, name := range n.keys {
		if known, ok := f.keys[name]; !ok || known.empty {
			keys = append(keys, fmt.Sprintf("%q", name))
		}
	}
	return keys
}
