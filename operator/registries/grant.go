package registries

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/runkora/kora/operator/upkeep"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// LabelGrant is on the Roles by which a service reads Secrets of a tenant: its name.
const LabelGrant = "runkora.io/secrets-of"

// readers are the services that read the Secrets which entries of a kind name. What
// a set of tools needs is its Connection's, and the egress gateway's to read.
func readers() map[string]string {
	return map[string]string{kindConnection: "kora-egress", kindOAuthClient: "kora-identity", kindModelProvider: "kora-inference"}
}

// ofGrant is what a resource's status begins with when it is for want of the grant.
const ofGrant = "the right of "

// GrantName is the name of a service's Role and RoleBinding in a tenant's namespace.
func GrantName(service string) string { return service + "-secrets" }

// grants keep one Role and RoleBinding for each tenant and service: get, on exactly
// the Secrets that the tenant's entries of the service's kind name, and none at all
// where there are none. The operator hands out no more than it holds there itself.
type grants struct {
	upkeep.Keeper
	system string
}

// grant is what one service may read in one namespace.
type grant struct {
	service string
	secrets []string    // sorted
	of      []*resource // that name them
	has     []string    // what its Role gives it so far
	bound   bool        // it has that Role
}

// keep makes the grants as they should be, before the entries are published that
// need them. A resource whose grant cannot be written is found wrong, unless it has been
// granted before: a new one takes none of the others along. Namespaces on their way out, and those of tenants that are, are left to those who end them.
func (g grants) keep(ctx context.Context, s *snapshot) error {
	wanted := s.grants()
	changed, left, err := g.compare(ctx, s, wanted)
	if err != nil {
		return err
	}
	failed := make([]error, len(changed))
	each(len(changed), func(i int) { failed[i] = g.write(ctx, changed[i], wanted[changed[i]], s.homes[changed[i].Namespace]) })
	for i, name := range changed {
		if failed[i] != nil {
			wanted[name].lacks()
		}
	}
	removed := make([]error, len(left))
	each(len(left), func(i int) { removed[i] = g.Revoke(ctx, left[i]) })
	return errors.Join(append(failed, removed...)...)
}

// grants are what the entries need, by namespace and name of the Role.
func (s *snapshot) grants() map[types.NamespacedName]*grant {
	all := map[types.NamespacedName]*grant{}
	for kind, service := range readers() {
		for _, r := range s.resources[kind] {
			n := needOf(r.object)
			if n == nil || !r.verdict.True() || s.homes[r.object.GetNamespace()] == "" {
				continue
			}
			name := types.NamespacedName{Namespace: r.object.GetNamespace(), Name: GrantName(service)}
			if all[name] == nil {
				all[name] = &grant{service: service}
			}
			all[name].secrets = append(all[name].secrets, n.secret)
			all[name].of = append(all[name].of, r)
		}
	}
	for _, g := range all {
		slices.Sort(g.secrets)
		g.secrets = slices.Compact(g.secrets)
	}
	return all
}

// compare finds in the caches which grants differ, and what is left over, bindings
// first.
func (g grants) compare(ctx context.Context, s *snapshot, wanted map[types.NamespacedName]*grant) (changed []types.NamespacedName, left []client.Object, err error) {
	bindings, roles := &rbacv1.RoleBindingList{}, &rbacv1.RoleList{}
	for _, list := range []client.ObjectList{bindings, roles} {
		if err := g.Client.List(ctx, list, client.HasLabels{LabelGrant}, client.UnsafeDisableDeepCopy); err != nil {
			return nil, nil, fmt.Errorf("list what services may read: %w", err)
		}
	}
	right := map[types.NamespacedName]int{} // of the two objects
	judge := func(o client.Object, same func(*grant) bool) {
		name := client.ObjectKeyFromObject(o)
		switch want := wanted[name]; {
		case want != nil && same(want) && o.GetLabels()[LabelGrant] == want.service:
			right[name]++
		case want == nil && s.homes[o.GetNamespace()] != "":
			left = append(left, o.DeepCopyObject().(client.Object))
		}
	}
	for i := range bindings.Items {
		o := &bindings.Items[i]
		judge(o, func(want *grant) bool { want.bound = g.binds(o, want.service); return want.bound })
	}
	for i := range roles.Items {
		o := &roles.Items[i]
		judge(o, func(want *grant) bool { want.has = given(o); return equality.Semantic.DeepEqual(o.Rules, want.rules()) })
	}
	for _, name := range slices.SortedFunc(maps.Keys(wanted), func(a, b types.NamespacedName) int {
		return slices.Compare([]string{a.Namespace, a.Name}, []string{b.Namespace, b.Name})
	}) {
		if right[name] < 2 {
			changed = append(changed, name)
		}
	}
	return changed, left, nil
}

func (g grants) subjects(service string) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: service, Namespace: g.system}}
}

func roleRef(service string) rbacv1.RoleRef {
	return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: GrantName(service)}
}

func (g grants) binds(o *rbacv1.RoleBinding, service string) bool {
	return o.RoleRef == roleRef(service) && equality.Semantic.DeepEqual(o.Subjects, g.subjects(service))
}
