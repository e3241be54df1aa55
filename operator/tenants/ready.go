package tenants

import (
	"context"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// sum sets Ready: of the parts, and of what belongs to none of them. A tenant that
// is not ready is looked at again before long, whatever it waits for: much of it,
// such as another's Secret, is not watched.
func (p *pass) sum(ctx context.Context) {
	status.Sum(p.tenant, p.now)
	if v := p.signIn(ctx); !v.True() {
		p.set(v1alpha1.ConditionReady, v)
	}
	if !meta.IsStatusConditionTrue(p.tenant.Status.Conditions, v1alpha1.ConditionReady) {
		p.soon(retry)
	}
	if p.tenant.Spec.Suspended {
		p.set(v1alpha1.ConditionReady, status.Bad(v1alpha1.ReasonSuspended, "spec.suspended is true: nobody signs in and no run starts; set it to false to bring everything back"))
	}
}

// signIn looks for the OIDC client's secret, at each periodic pass (R51). Its
// value goes nowhere.
func (p *pass) signIn(ctx context.Context) status.Verdict {
	if v := p.ruled(ctx); !v.True() {
		return v
	}
	ref := p.tenant.Spec.OIDC.ClientSecretRef
	if ref == nil {
		return status.Good("")
	}
	secret := &corev1.Secret{}
	err := p.client.Get(ctx, client.ObjectKey{Namespace: p.settings.SystemNamespace, Name: ref.Name}, secret)
	secret.Name = ref.Name
	faults := rules.PlatformOf(p.settings).Granted(rules.ClientSecret(), p.tenant.Name, secret)
	switch {
	case len(faults) > 0: // whether it is there or not
		return status.Bad(v1alpha1.ReasonInvalid, "%s", rules.Message(faults))
	case apierrors.IsNotFound(err):
		return status.Bad(v1alpha1.ReasonReferenceNotFound, "spec.oidc.clientSecretRef.name: there is no Secret %s in the namespace %s: make it, or correct the name", ref.Name, p.settings.SystemNamespace)
	case err != nil:
		return p.fail(err)
	case secret.Type == corev1.SecretTypeDockerConfigJson:
		return status.Bad(v1alpha1.ReasonInvalid, "spec.oidc.clientSecretRef.name: Secret %s is a pull Secret, and no client's: name the one that holds the client's secret", ref.Name)
	case len(secret.Data[ref.Key]) == 0:
		return status.Bad(v1alpha1.ReasonSecretKeyMissing, "spec.oidc.clientSecretRef.key: Secret %s has no value under the key %q: add it, or correct the key", ref.Name, ref.Key)
	}
	return status.Good("")
}

// ruled judges by the webhook's rules: it may have been out of service, or have
// seen two tenants at once. Of two tenants with one domain the elder keeps it.
func (p *pass) ruled(ctx context.Context) status.Verdict {
	if faults := rules.KoraTenant(p.tenant); len(faults) > 0 {
		return status.Bad(v1alpha1.ReasonInvalid, "%s", rules.Message(faults))
	}
	var elder []v1alpha1.KoraTenant
	for _, domain := range p.tenant.Spec.OIDC.Domains { // by the index: a pass costs the same however many tenants there are
		list := &v1alpha1.KoraTenantList{}
		if err := p.client.List(ctx, list, client.MatchingFields{byDomain: string(domain)}, client.UnsafeDisableDeepCopy); err != nil {
			return p.fail(err)
		}
		for i := range list.Items {
			if rules.ByAge(&list.Items[i], p.tenant) < 0 {
				elder = append(elder, list.Items[i])
			}
		}
	}
	if faults := rules.Domains(p.tenant, elder); len(faults) > 0 {
		return status.Bad(v1alpha1.ReasonConflict, "%s", rules.Message(faults))
	}
	return status.Good("")
}
