package images

import (
	"context"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// left says why no image of a namespace is read that has a tenant's name and labels, nil
// where it is a tenant's that stays: in one that its tenant leaves behind, or that is
// another's, the operator has no rights, and nobody starts a sandbox (R50).
func (r *Reconciler) left(ctx context.Context, home *corev1.Namespace) (*status.Verdict, error) {
	name, is := rules.TenantOf(home)
	if !is {
		return nil, nil
	}
	tenant, fault := &v1alpha1.KoraTenant{}, rules.Homeless(home.Name)
	switch err := r.client.Get(ctx, client.ObjectKey{Name: name}, tenant); {
	case apierrors.IsNotFound(err):
		fault = rules.Abandoned(home.Name, name)
	case err != nil:
		return nil, err
	case !rules.HomeOf(home, tenant):
	case tenants.Leaving(tenant):
		v := status.Bad(v1alpha1.ReasonDeleting, "the KoraTenant %s is being deleted and leaves its namespace: its images are not read any more", name)
		return &v, nil
	default:
		return nil, nil
	}
	v := status.Bad(v1alpha1.ReasonInvalid, "%s: %s", fault.Field, fault.Detail)
	return &v, nil
}

// leave writes that an image is not read any more, and why: what its status said would
// pass for today's. There is no event, for which the operator has no right there. Once
// it is a tenant's again, it is read at once.
func (r *Reconciler) leave(ctx context.Context, image *v1alpha1.SandboxImage, why *status.Verdict) error {
	if why == nil {
		return nil
	}
	r.schedule.forget(nameOf(image))
	before := image.DeepCopy()
	image.Status.Digest, image.Status.Platforms = "", nil
	status.Set(image, v1alpha1.ConditionValid, *why, r.clock.Now())
	r.warmed(image)
	return client.IgnoreNotFound(status.Write(ctx, r.client, before, image))
}
