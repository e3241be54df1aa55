package tenants

import (
	"context"
	"fmt"
	"maps"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// authority keeps the tenant's certificate authority (R50): the Secret with its
// key, which the operator alone reads; the ConfigMap with its certificates, which
// anybody may read; and the Secret with the intermediate of the egress gateway.
// What is stored decides, so an operator that ends in between goes on where it
// was. What signs is published first.
func (p *pass) authority(ctx context.Context) status.Verdict {
	own, err := p.secrets(ctx)
	if err != nil {
		return p.listed("Secret", v1alpha1.TenantCA, p.fail(err))
	}
	marks, err := p.key(ctx)
	if err != nil {
		return p.listed("Secret", v1alpha1.TenantCA, p.fail(err))
	}
	known := known{p, marks}
	root, err := p.stripped(ctx, v1alpha1.TenantCA, own[v1alpha1.TenantCA], known.is)
	if err != nil {
		return p.listed("Secret", v1alpha1.TenantCA, p.fail(err))
	}
	state, of, v := p.root(ctx, root, known)
	if p.listed("Secret", v1alpha1.TenantCA, v); !v.True() {
		return v
	}
	ends := metav1.NewTime(state.Current.Certificate.NotAfter)
	p.tenant.Status.CANotAfter = &ends
	if v := p.keep(ctx, known.trusted(state, of)); !v.True() {
		return v
	}
	if err := known.from(ctx); err != nil {
		return p.fail(err)
	}
	deputy, err := p.stripped(ctx, v1alpha1.EgressCA, own[v1alpha1.EgressCA], signedBy(state))
	if err != nil {
		return p.listed("Secret", v1alpha1.EgressCA, p.fail(err))
	}
	if v := p.listed("Secret", v1alpha1.EgressCA, p.deputy(ctx, state, deputy)); !v.True() {
		return v
	}
	return status.Good("the certificate authority is valid until %s, and %d are trusted", ends.UTC().Format("2006-01-02"), len(state.Trusted()))
}

// root is the authority as it is stored afterwards, and the Secret that has it. One that
// cannot be read, or that the operator did not write, is made anew.
func (p *pass) root(ctx context.Context, secret *corev1.Secret, known known) (authority.State, types.UID, status.Verdict) {
	rule := authority.Default("kora tenant " + p.tenant.Name)
	was, foreign, err := known.state(ctx, secret)
	if err != nil {
		return was, "", p.fail(err)
	}
	state, _, err := rule.Step(was, p.now)
	if err != nil {
		return state, "", p.fail(err)
	}
	p.soon(rule.Wait(state, p.now))
	data, err := state.Data()
	if err != nil {
		return state, "", p.fail(err)
	}
	if p.labelled(secret) && known.marked(secret, state) && equality.Semantic.DeepEqual(secret.Data, data) {
		return state, secret.UID, status.Good("")
	}
	of, v := p.store(ctx, secret, v1alpha1.TenantCA, data, func(of types.UID) map[string]string { return known.mark(state, of) })
	if v.True() && foreign != "" {
		ctrl.LoggerFrom(ctx).Info("the certificate authority of the tenant is made anew: "+foreign, "secret", secret.Name, "namespace", secret.Namespace)
		p.events.Eventf(secret, nil, corev1.EventTypeWarning, v1alpha1.ReasonConflict, "Renew",
			"%s: the certificate authority is made anew, and what the operator published before stays trusted until it ends; find out who may write Secrets in %s", foreign, secret.Namespace)
	}
	return state, of, v
}

// deputy is the egress gateway's intermediate, by which it signs in the authority's
// place (R50): a key that leaks there is limited, and of no use before long.
func (p *pass) deputy(ctx context.Context, by authority.State, secret *corev1.Secret) status.Verdict {
	rule := authority.Egress(p.tenant.Name, p.settings.Identity.TrustDomain)
	was, told := authority.Deputy{}, false
	if secret != nil {
		var err error
		if was, err = authority.ParseDeputy(secret.Data); err != nil {
			unreadable(ctx, secret, err)
		}
		told = by.Published(secret.Data)
	}
	deputy, changed, err := rule.Step(by, was, p.now)
	if err != nil {
		return p.fail(err)
	}
	p.soon(rule.Wait(deputy, p.now))
	if !changed && told && p.labelled(secret) {
		return status.Good("")
	}
	data, err := deputy.Data(by)
	if err != nil {
		return p.fail(err)
	}
	_, v := p.store(ctx, secret, v1alpha1.EgressCA, data, func(types.UID) map[string]string { return nil })
	return v
}

func unreadable(ctx context.Context, secret *corev1.Secret, err error) {
	ctrl.LoggerFrom(ctx).Error(err, "a certificate authority of the tenant cannot be read and is made anew", "secret", secret.Name, "namespace", secret.Namespace)
}

// store writes an authority over the one that was read, and over no other: two
// operators never mint for one tenant. What is made gets the marks of its UID at once.
func (p *pass) store(ctx context.Context, live *corev1.Secret, name string, data map[string][]byte, marks func(types.UID) map[string]string) (types.UID, status.Verdict) {
	want := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: p.namespace.Name, Labels: p.labels()}, Type: corev1.SecretTypeTLS, Data: data}
	var err error
	if live != nil && live.Immutable != nil && *live.Immutable { // made anew, as what is in it cannot be changed
		if err = p.keeper().Clear(ctx, live); err != nil {
			return "", p.fail(fmt.Errorf("write the certificate authority: %w", err))
		}
		live = nil
	}
	if live == nil {
		want.Annotations = marks("")
		err = p.client.Create(ctx, want, client.FieldOwner(v1alpha1.Operator))
	} else {
		want.ResourceVersion, want.UID, want.Type = live.ResourceVersion, live.UID, live.Type
	}
	if now := marks(want.UID); err == nil && !maps.Equal(now, want.Annotations) || live != nil {
		want.Annotations = now
		err = p.client.Update(ctx, want, client.FieldOwner(v1alpha1.Operator))
	}
	switch {
	case apierrors.IsAlreadyExists(err):
		return "", p.taken(ctx, want, "what is in it is no authority of kora's; keep it under another name, and when this one has gone the certificate authority is made")
	case err != nil:
		return "", p.fail(fmt.Errorf("write the certificate authority: %w", err))
	}
	return want.UID, status.Good("")
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
