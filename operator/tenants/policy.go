package tenants

import (
	"context"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/opa"
	"github.com/runkora/kora/operator/pages"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/upkeep"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// policy keeps what limits the tenant: its network policies and its OPA
// configuration (R50).
func (p *pass) policy(ctx context.Context) status.Verdict {
	verdict := p.networkPolicies(ctx)
	module, err := opa.Module(p.described())
	if err != nil {
		return firstBad(verdict, p.fail(err))
	}
	verdict = firstBad(verdict, p.keep(ctx, p.configMap(opa.ConfigMap, map[string]string{opa.File: module})))
	opens, err := p.opening(ctx)
	switch {
	case err != nil:
		return firstBad(verdict, p.fail(err))
	case !verdict.True():
		return verdict
	case len(opens) > 0 && p.settings.NetworkPolicy:
		return status.Good("the network policies and the policy configuration are in place; more than kora's is open by %s, which kora did not make", strings.Join(opens, ", "))
	case !p.settings.NetworkPolicy:
		return status.Good("the policy configuration is in place; networkPolicy.enabled is false, so there are no network policies")
	}
	return status.Good("the network policies and the policy configuration are in place")
}

// opening are the NetworkPolicies of others that let something through, and lists them:
// whoever may write them in the namespace opens what kora's close, such as the NFS port
// and nodes, as each adds to all others. Kora leaves them alone, and tells.
func (p *pass) opening(ctx context.Context) ([]string, error) {
	wanted := map[string]bool{}
	for _, each := range p.wantedPolicies() {
		wanted[each.Name] = true
	}
	var names []string
	for is, err := range pages.Of(ctx, p.live, &networkingv1.NetworkPolicyList{}, client.InNamespace(p.namespace.Name)) {
		if err != nil {
			return nil, err
		}
		o := is.(*networkingv1.NetworkPolicy)
		if wanted[o.Name] || len(o.Spec.Ingress)+len(o.Spec.Egress) == 0 {
			continue
		}
		why := "it is not kora's and lets through what kora's policies close: delete it, unless that is meant"
		if o.Labels[v1alpha1.LabelManagedBy] == v1alpha1.Operator && len(o.Finalizers) > 0 {
			why = "it has kora's label, is none of kora's, and lets through what they close: it is deleted, and held by finalizers, which somebody must take off"
		}
		p.list("NetworkPolicy", o.Name, status.Bad(v1alpha1.ReasonConflict, "%s", why))
		if names = append(names, o.Name); len(names) > shown {
			return append(names[:shown], "…"), nil
		}
	}
	return names, nil
}

func (p *pass) described() opa.Tenant {
	t := opa.Tenant{
		Name: p.tenant.Name, Namespace: p.namespace.Name, DisplayName: p.tenant.Spec.DisplayName, Suspended: p.tenant.Spec.Suspended,
		TrustDomain: p.settings.Identity.TrustDomain, Issuer: p.tenant.Spec.OIDC.Issuer, ClientID: p.tenant.Spec.OIDC.ClientID,
	}
	for _, domain := range p.tenant.Spec.OIDC.Domains {
		t.Domains = append(t.Domains, string(domain))
	}
	return t
}

// networkPolicies keeps those that there should be, and takes away the operator's
// others.
func (p *pass) networkPolicies(ctx context.Context) status.Verdict {
	wanted := map[string]bool{}
	var things []upkeep.Thing
	for _, want := range p.wantedPolicies() {
		wanted[want.Name] = true
		things = append(things, policyThing(want))
	}
	verdict := p.keep(ctx, things...)
	list := &networkingv1.NetworkPolicyList{}
	if err := p.client.List(ctx, list, client.InNamespace(p.namespace.Name)); err != nil { // the cache holds only the operator's
		return firstBad(verdict, p.fail(err))
	}
	for i := range list.Items {
		if wanted[list.Items[i].Name] {
			continue
		}
		if err := p.keeper().Remove(ctx, &list.Items[i]); err != nil {
			verdict = firstBad(verdict, p.fail(err))
		}
	}
	return verdict
}

func (p *pass) wantedPolicies() []*networkingv1.NetworkPolicy {
	if !p.settings.NetworkPolicy {
		return nil
	}
	var all []*networkingv1.NetworkPolicy
	for name, spec := range policies(p.settings) {
		all = append(all, &networkingv1.NetworkPolicy{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: p.namespace.Name, Labels: p.labels()}, Spec: spec})
	}
	return all
}

func policyThing(want *networkingv1.NetworkPolicy) upkeep.Thing {
	return upkeep.Thing{Want: want, Same: func(live client.Object) bool {
		return equality.Semantic.DeepEqual(live.(*networkingv1.NetworkPolicy).Spec, want.Spec)
	}}
}
