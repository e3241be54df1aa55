package pulls

import (
	"context"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/upkeep"
)

// right makes a copy as it should be, where it is not. It is changed in place, so that no pod
// ever misses it, and one that a finalizer holds in its deletion is in force as before. A
// Secret's type is fixed, and an immutable one is all fixed: such a copy is made anew.
func (c *Copier) right(ctx context.Context, live, want *corev1.Secret) error {
	whole := live.DeepCopy()
	whole.Data = want.Data
	whole.Labels, whole.Annotations = over(live.Labels, want.Labels), over(live.Annotations, want.Annotations)
	fixed := live.Immutable != nil && *live.Immutable && !equality.Semantic.DeepEqual(live.Data, want.Data)
	switch {
	case live.Type != want.Type || fixed:
		if err := c.keeper().Clear(ctx, live); err != nil {
			return err
		}
		return c.client.Create(ctx, want, client.FieldOwner(v1alpha1.Operator))
	case equality.Semantic.DeepEqual(live, whole):
		return nil
	}
	return c.client.Update(ctx, whole, client.FieldOwner(v1alpha1.Operator))
}

func over(base, top map[string]string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, base)
	maps.Copy(all, top)
	return all
}

// keeper removes copies, and takes off what holds one that can never be right.
func (c *Copier) keeper() upkeep.Keeper { return upkeep.Keeper{Client: c.client, Live: c.client} }
