package admission

import (
	"context"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/runkora/kora/operator/admission/gate"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/tenants"
	"github.com/runkora/kora/operator/tenants/proof"
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
	switch known, err := v.known(ctx, t); {
	case err != nil:
		return unknown(err)
	case known == nobody:
		return admission.Denied(fmt.Sprintf("the KoraTenant %s with the UID %q is not there", t.Name, t.UID))
	case known == unread:
		return v.unread(ctx, t)
	}
	return v.asked(ctx, t)
}

// asked answers who has read the tenant: with what would go.
func (v *Validator) asked(ctx context.Context, t *v1alpha1.KoraTenant) admission.Response {
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

// unread answers a review without the mark: a forged one, or a true one of a tenant that
// the operator has not marked yet, or whose mark somebody took off. Nothing is listed for
// it, and where something could be lost it is no; clients ask again by themselves.
func (v *Validator) unread(ctx context.Context, t *v1alpha1.KoraTenant) admission.Response {
	if has, err := v.home(ctx, t); err != nil {
		return unknown(err)
	} else if !has {
		return admission.Allowed("")
	}
	return gate.Again(fmt.Errorf("the KoraTenant %s does not bear the operator's mark, the annotation %s, by which kora knows who may be told what would go with it: kora-operator writes it within seconds; "+
		"try again in a moment, and if this stays so, see in the KoraTenant's status and in the operator's log why it cannot", t.Name, v1alpha1.AnnotationMark))
}

// How a tenant that a review shows is known.
type knowledge int

const (
	nobody knowledge = iota // no such tenant is there
	unread                  // it is there, and the review lacks its mark
	read                    // the review shows what only the tenant itself tells
)

// known compares a tenant with the one that is there. A webhook cannot tell who asks, and
// the answer says what is in a namespace and what confirms that it goes. The UID stands
// on the namespace too, for all to read there: so the review must bear the operator's mark,
// which only the tenant itself has, as the API server's own always does. It is compared
// and not reckoned, so that no replica needs the key, or the one of another.
func (v *Validator) known(ctx context.Context, t *v1alpha1.KoraTenant) (knowledge, error) {
	known := nobody
	for _, from := range []client.Reader{v.cached, v.direct} {
		is := &v1alpha1.KoraTenant{}
		err := from.Get(ctx, client.ObjectKey{Name: t.Name}, is)
		switch {
		case client.IgnoreNotFound(err) != nil:
			return nobody, fmt.Errorf("read the KoraTenant %s: %w", t.Name, err)
		case err != nil || is.UID != t.UID:
			continue
		case proof.Shows(t, is):
			return read, nil
		}
		known = unread
	}
	return known, nil
}

// home reports whether there is a namespace of the tenant's own, by the API server's
// word: a cache may not have seen it yet. Of another's nothing goes with the tenant.
func (v *Validator) home(ctx context.Context, t *v1alpha1.KoraTenant) (bool, error) {
	home := &corev1.Namespace{}
	err := v.direct.Get(ctx, client.ObjectKey{Name: v1alpha1.TenantNamespace(t.Name)}, home)
	if client.IgnoreNotFound(err) != nil {
		return false, fmt.Errorf("read namespace %s: %w", v1alpha1.TenantNamespace(t.Name), err)
	}
	return err == nil && tenants.Owns(t, home), nil
}

// plan is what lives in a tenant's own namespace.
func (v *Validator) plan(ctx context.Context, t *v1alpha1.KoraTenant) (tenants.Plan, error) {
	if has, err := v.home(ctx, t); err != nil || !has {
		return tenants.Plan{}, err
	}
	return tenants.PlanOf(ctx, v.direct, t.Name)
}
