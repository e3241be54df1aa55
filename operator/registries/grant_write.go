package registries

import (
	"context"
	"fmt"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/upkeep"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// write makes or changes the Role and who has it. In a namespace that is new the
// operator's own rights may not be in force yet, and it comes back.
func (g grants) write(ctx context.Context, name types.NamespacedName, want *grant, tenant string) error {
	meta := metav1.ObjectMeta{Namespace: name.Namespace, Name: name.Name, Labels: map[string]string{
		LabelGrant: want.service, v1alpha1.LabelTenant: tenant, v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelPartOf: "kora"}}
	role := &rbacv1.Role{ObjectMeta: meta, Rules: want.rules()}
	binding := &rbacv1.RoleBinding{ObjectMeta: *meta.DeepCopy(), RoleRef: roleRef(want.service), Subjects: g.subjects(want.service)}
	err := g.Keep(ctx, upkeep.Thing{Want: role, Same: func(live client.Object) bool {
		return equality.Semantic.DeepEqual(live.(*rbacv1.Role).Rules, role.Rules)
	}})
	if err == nil {
		err = g.Keep(ctx, upkeep.Thing{Want: binding,
			Same:  func(live client.Object) bool { return g.binds(live.(*rbacv1.RoleBinding), want.service) },
			Fixed: func(live client.Object) bool { return live.(*rbacv1.RoleBinding).RoleRef != binding.RoleRef }})
	}
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("what %s may read in %s: %w", want.service, name.Namespace, err)
	}
	return err
}
