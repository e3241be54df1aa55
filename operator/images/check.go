package images

import (
	"context"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Condition is the part of a tenant's status that tells of these images.
func (b *Bundled) Condition() string { return v1alpha1.ConditionImagesReady }

// Watch wakes a tenant when one of them changes.
func (b *Bundled) Watch(to *builder.Builder) { to.Watches(&v1alpha1.SandboxImage{}, b.ofImage()) }

// Judge says how it stands with a tenant's images (R50, R53). A tenant's own under
// a bundled name is a conflict in the inventory, and nothing that the tenant waits for.
func (b *Bundled) Judge(ctx context.Context, tenant *v1alpha1.KoraTenant) (status.Verdict, []v1alpha1.InventoryItem, error) {
	var items []v1alpha1.InventoryItem
	var own []string
	verdict := status.Good("kora-base and the bundled images are there and valid")
	for _, name := range b.catalogue.names() {
		image := &v1alpha1.SandboxImage{}
		err := b.client.Get(ctx, client.ObjectKey{Namespace: v1alpha1.TenantNamespace(tenant.Name), Name: name}, image)
		if client.IgnoreNotFound(err) != nil {
			return status.Verdict{}, nil, err
		}
		item := status.Item("SandboxImage", name, judgeOne(image, apierrors.IsNotFound(err), name))
		items = append(items, item)
		switch {
		case item.State == v1alpha1.InventoryConflict:
			own = append(own, name)
		case item.State == v1alpha1.InventoryFailed && verdict.Status != metav1.ConditionFalse:
			verdict = status.Bad(v1alpha1.ReasonFailed, "SandboxImage %s: %s", name, item.Reason)
		case item.State == v1alpha1.InventoryPending && verdict.True():
			verdict = status.Wait("SandboxImage %s: %s", name, item.Reason)
		}
	}
	if verdict.True() && len(own) > 0 {
		verdict = status.Good("kora-base and the bundled images are there and valid, but for %s: the tenant's own images have these names, and their own statuses tell of them", strings.Join(own, ", "))
	}
	return verdict, items, nil
}

func judgeOne(image *v1alpha1.SandboxImage, absent bool, name string) status.Verdict {
	if absent {
		return status.Wait("it is not made yet")
	}
	if !made(image) && name != Base {
		return status.Bad(v1alpha1.ReasonConflict, "an image of the tenant's own has this name; rename it to have the bundled one")
	}
	c := meta.FindStatusCondition(image.Status.Conditions, v1alpha1.ConditionValid)
	switch {
	case c == nil || c.ObservedGeneration != image.Generation:
		return status.Wait("its registry is not read yet")
	case c.Status == metav1.ConditionTrue:
		return status.Good("")
	case c.Status == metav1.ConditionUnknown:
		return status.Wait("%s", c.Message)
	}
	return status.Bad(c.Reason, "%s", c.Message)
}

// short keeps within what an event's note takes.
func short(text string) string {
	const most = 1000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
