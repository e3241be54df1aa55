package registries

import (
	"github.com/runkora/kora/operator/api/v1alpha1"
)

// need is what a resource wants of one Secret of its namespace.
type need struct {
	field  string   // that names the Secret, "spec.secretRef"
	secret string   // its name
	keys   []string // that it must have
	keyed  bool     // the resource names the key too, in field + ".key"
	header bool     // the values travel in HTTP headers
	pair   bool     // the keys are a certificate and its private key
	of     uint64   // the resource, as its spec stands
}

// needOf gives what a resource names, nil for one that names no Secret.
func needOf(o v1alpha1.Object) *need {
	switch o := o.(type) {
	case *v1alpha1.Connection:
		return connectionNeed(o.Spec.Authentication)
	case *v1alpha1.OAuthClient:
		return keyNeed(o.Spec.SecretRef)
	case *v1alpha1.ModelProvider:
		n := keyNeed(o.Spec.SecretRef)
		if n != nil {
			// The clouds' credentials are documents, the others keys in a header.
			n.header = o.Spec.Type != v1alpha1.ProviderBedrock && o.Spec.Type != v1alpha1.ProviderVertex
		}
		return n
	}
	return nil
}

func keyNeed(ref *v1alpha1.SecretKeyReference) *need {
	if ref == nil {
		return nil
	}
	return &need{field: "spec.secretRef", secret: ref.Name, keys: []string{ref.Key}, keyed: true, header: true}
}

func connectionNeed(a v1alpha1.Authentication) *need {
	if a.SecretRef == nil {
		return nil
	}
	n := &need{field: "spec.authentication.secretRef", secret: a.SecretRef.Name}
	switch a.Type {
	case v1alpha1.AuthenticationBasic:
		n.keys, n.header = []string{v1alpha1.BasicUsernameKey, v1alpha1.BasicPasswordKey}, true
	case v1alpha1.AuthenticationMTLS:
		n.keys, n.pair = []string{v1alpha1.TLSCertKey, v1alpha1.TLSPrivateKeyKey}, true
	default:
		n.keys, n.keyed, n.header = []string{a.SecretRef.Key}, true, true
	}
	return n
}
