package proof

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// KeySecret holds, under hash-key in the system namespace, the key of marks and of
// the hashes of tenants' Secrets (R51). The operator makes it once; when it is deleted
// the next start of the operator makes another: every hash changes, the marks of
// tenants that are there are written anew, and a namespace that a tenant left behind
// needs a person to hand it over. It has no owner and stays when the chart is
// uninstalled: tenants and what they left behind do, and a reinstalled operator finds
// them as they were.
const (
	KeySecret = "kora-operator-hash-key"
	keyName   = "hash-key"
	keySize   = 32
)

// Key reads the key, or makes it.
func Key(ctx context.Context, c client.Client, namespace string) ([]byte, error) {
	secret := &corev1.Secret{}
	at := client.ObjectKey{Namespace: namespace, Name: KeySecret}
	err := c.Get(ctx, at, secret)
	if apierrors.IsNotFound(err) {
		if secret, err = newKey(at); err != nil {
			return nil, err
		}
		if err = c.Create(ctx, secret); apierrors.IsAlreadyExists(err) { // another replica was first
			secret = &corev1.Secret{}
			err = c.Get(ctx, at, secret)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the key of secret hashes, Secret %s: %w", KeySecret, err)
	}
	if key := secret.Data[keyName]; len(key) >= keySize {
		return key, nil
	}
	return nil, fmt.Errorf("the Secret %s in %s has fewer than %d bytes under %s: delete it, and the operator makes another", KeySecret, namespace, keySize, keyName)
}

func newKey(at client.ObjectKey) (*corev1.Secret, error) {
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	fixed := true
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: at.Namespace, Name: at.Name,
			Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora"}},
		Immutable: &fixed,
		Data:      map[string][]byte{keyName: key},
	}, nil
}
