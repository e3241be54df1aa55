package tenants

import (
	"context"
	"maps"

	"github.com/runkora/kora/operator/authority"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// stripped finds an authority whose Secret has lost the operator's label: what is in it
// shows whose it is. With the authority all trust in it would go, so that one that is
// the tenant's gets its labels back, and one that is not is left alone (R50).
func (p *pass) stripped(ctx context.Context, name string, labelled *corev1.Secret, ours func(context.Context, *corev1.Secret) (bool, error)) (*corev1.Secret, error) {
	if labelled != nil {
		return labelled, nil
	}
	live := &corev1.Secret{}
	if err := p.client.Get(ctx, client.ObjectKey{Namespace: p.namespace.Name, Name: name}, live); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	if is, err := ours(ctx, live); err != nil || !is {
		return nil, err
	}
	return live, nil
}

// signedBy reports whether a Secret holds an intermediate of the authority's.
func signedBy(by authority.State) func(context.Context, *corev1.Secret) (bool, error) {
	return func(_ context.Context, secret *corev1.Secret) (bool, error) {
		d, err := authority.ParseDeputy(secret.Data)
		return err == nil && by.Signed(d.Current.Certificate), nil
	}
}

// labelled reports whether a Secret has all labels of the operator's; one that is not
// there has.
func (p *pass) labelled(secret *corev1.Secret) bool {
	if secret == nil {
		return true
	}
	merged := maps.Clone(secret.Labels)
	if merged == nil {
		merged = map[string]string{}
	}
	maps.Copy(merged, p.labels())
	return maps.Equal(merged, secret.Labels)
}
