package admission

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/tenants"
)

// deletion protects a tenant in which something lives (R50): it goes only when
// whoever deletes it has seen what goes along, as it is now, and has said so on the object. What
// it says is what the tenant's status would: see tenants.Plan.
func (v *Validator) deletion(ctx context.Context, o v1alpha1.Object) admission.Response {
	t, is := o.(*v1alpha1.KoraTenant)
	if !is || t.DeletionTimestamp != nil {
		return admission.Allowed("")
	}
	leave, err := v.gate.Enter(ctx, v1alpha1.TenantNamespace(t.Name), 0)
	if err != nil {
		return gate.Refused(err)
	}
	defer leave()
	if known, err := v.known(ctx, t); err != nil {
		return unknown(err)
	} else if !known {
		return admission.Denied(fmt.Sprintf("the KoraTenant %s with the UID %q is not there", t.Name, t.UID))
	}
	plan, err := v.plan(ctx, t)
	if err != nil {
		return unknown(err)
	}
	if plan.Empty() || plan.Confirmed(t) {
		return admission.Allowed("")
	}
	refused := admission.Denied(plan.Question(t) + ", and delete it again")
	refused.Result.Code = http.StatusForbidden
	return refused
}

// known reports whether it is a tenant that is there. A webhook cannot tell who asks, and
// the answer says what is in a namespace and what confirms that it goes: whoever has not
// read the tenant, and so its UID, is told nothing, and nothing is listed for them.
func (v *Validator) known(ctx context.Context, t *v1alpha1.KoraTenant) (bool, error) {
	for _, from := range []client.Reader{v.cached, v.direct} {
		is := &v1alpha1.KoraTenant{}
		err := from.Get(ctx, client.ObjectKey{Name: t.Name}, is)
		if client.IgnoreNotFound(err) != nil {
			return false, fmt.Errorf("read the KoraTenant %s: %w", t.Name, err)
		}
		if err == nil && is.UID == t.UID {
			return true, nil
		}
	}
	return false, nil
}

// plan is what lives in a tenant's own namespace, by the API server's word: a cache
// may not have seen it yet. Of another's namespace nothing goes with the tenant.
func (v *Validator) plan(ctx context.Context, t *v1alpha1.KoraTenant) (tenants.Plan, error) {
	home := &corev1.Namespace{}
	err := v.direct.Get(ctx, client.ObjectKey{Name: v1alpha1.TenantNamespace(t.Name)}, home)
	switch {
	case apierrors.IsNotFound(err):
		return tenants.Plan{}, nil
	case err != nil:
		return tenants.Plan{}, fmt.Errorf("read namespace %s: %w", v1alpha1.TenantNamespace(t.Name), err)
	case !tenants.Owns(t, home):
		return tenants.Plan{}, nil
	}
	return tenants.PlanOf(ctx, v.direct, t.Name)
}
