package tenants

import (
	"context"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// authority keeps the tenant's certificate authority (R50): the Secret with its
// key, and the ConfigMap with its certificates, which anybody may read. What is
// stored decides, so an operator that ends between the two goes on where it was.
func (p *pass) authority(ctx context.Context) status.Verdict {
	own, err := p.secrets(ctx)
	if err != nil {
		return p.fail(err)
	}
	secret := own[v1alpha1.TenantCA]
	rule := authority.Default("kora tenant " + p.tenant.Name)
	state, changed, err := rule.Step(p.stored(ctx, secret), p.now)
	if err != nil {
		return p.fail(err)
	}
	if changed {
		if v := p.store(ctx, secret, state); !v.True() {
			p.list("Secret", v1alpha1.TenantCA, v)
			return v
		}
	}
	p.list("Secret", v1alpha1.TenantCA, status.Good(""))
	ends := metav1.NewTime(state.Current.Certificate.NotAfter)
	p.tenant.Status.CANotAfter = &ends
	p.soon(rule.Wait(state, p.now))
	if v := p.keep(ctx, p.published(state)); !v.True() {
		return v
	}
	return status.Good("the certificate authority is valid until %s, and %d are trusted", ends.UTC().Format("2006-01-02"), len(state.Trusted()))
}

// stored is the state in the Secret. One that cannot be read is of no use to
// anybody, and is made anew.
func (p *pass) stored(ctx context.Context, secret *corev1.Secret) authority.State {
	if secret == nil {
		return authority.State{}
	}
	state, err := authority.Parse(secret.Data)
	if err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "the certificate authority of the tenant cannot be read and is made anew", "secret", secret.Name, "namespace", secret.Namespace)
	}
	return state
}

// store writes a state over the one that was read, and over no other: two
// operators never mint for one tenant.
func (p *pass) store(ctx context.Context, live *corev1.Secret, state authority.State) status.Verdict {
	data, err := state.Data()
	if err != nil {
		return p.fail(err)
	}
	want := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: v1alpha1.TenantCA, Namespace: p.namespace.Name, Labels: p.labels()}, Type: corev1.SecretTypeTLS, Data: data}
	if live == nil {
		err = p.client.Create(ctx, want, client.FieldOwner(v1alpha1.Operator))
	} else {
		want.ResourceVersion, want.UID, want.Type = live.ResourceVersion, live.UID, live.Type
		err = p.client.Update(ctx, want, client.FieldOwner(v1alpha1.Operator))
	}
	switch {
	case apierrors.IsAlreadyExists(err):
		return p.taken(ctx, want, "delete it, and the certificate authority is made")
	case err != nil:
		return p.fail(fmt.Errorf("write the certificate authority: %w", err))
	}
	return status.Good("")
}

// published is the ConfigMap of the trusted certificates, without a key.
func (p *pass) published(state authority.State) upkeep.Thing {
	return p.configMap(v1alpha1.TenantCA, map[string]string{authority.KeyTrusted: string(state.Bundle())})
}

func (p *pass) configMap(name string, data map[string]string) upkeep.Thing {
	want := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: p.namespace.Name, Labels: p.labels()}, Data: data}
	return upkeep.Thing{
		Want: want, Uncached: true,
		Same: func(live client.Object) bool {
			o := live.(*corev1.ConfigMap)
			return equality.Semantic.DeepEqual(o.Data, want.Data) && len(o.BinaryData) == 0
		},
		Fixed: func(live client.Object) bool {
			o := live.(*corev1.ConfigMap)
			return o.Immutable != nil && *o.Immutable
		},
	}
}
