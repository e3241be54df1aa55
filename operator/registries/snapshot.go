package registries

import (
	"context"
	"slices"
	"strings"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The kinds of registries, in the order in which they are judged: an MCPServer
// after the Connection that it names.
const (
	kindConnection    = "connection"
	kindOAuthClient   = "oauthclient"
	kindMCPServer     = "mcpserver"
	kindModelProvider = "modelprovider"
)

var kinds = []string{kindConnection, kindOAuthClient, kindMCPServer, kindModelProvider}

// resource is one object and what a pass finds of it.
type resource struct {
	object  v1alpha1.Object // the cache's own: never changed
	tenant  string          // empty: it lives in no tenant's namespace
	guesses []guess         // hosts that may be the cluster's own
	finding
}

// snapshot is all that one pass goes by.
type snapshot struct {
	system    string // the namespace
	tenants   map[string]*v1alpha1.KoraTenant
	resources map[string][]*resource                   // by kind, sorted by tenant and name
	homes     map[string]string                        // namespaces that stay, of tenants that do
	left      map[string]string                        // namespaces of tenants that are gone
	services  map[types.NamespacedName]*corev1.Service // that are named, or found by a host

	connections map[types.NamespacedName]*resource // as they were judged
}

// look reads everything from the manager's caches.
func look(ctx context.Context, c client.Reader, system string, w *watched) (*snapshot, error) {
	s := &snapshot{system: system, tenants: map[string]*v1alpha1.KoraTenant{}, resources: map[string][]*resource{}, homes: map[string]string{}, left: map[string]string{}}
	all := &v1alpha1.KoraTenantList{}
	if err := c.List(ctx, all, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	for i := range all.Items {
		s.tenants[all.Items[i].Name] = &all.Items[i]
	}
	namespaces := &corev1.NamespaceList{}
	if err := c.List(ctx, namespaces, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	homes, going := map[string]string{}, map[string]bool{}
	for i := range namespaces.Items {
		home := &namespaces.Items[i]
		tenant, is := rules.TenantOf(home)
		if is && s.tenants[tenant] == nil {
			s.left[home.Name] = tenant
		}
		if rules.HomeOf(home, s.tenants[tenant]) {
			homes[home.Name] = tenant
			if home.DeletionTimestamp.IsZero() && !tenants.Leaving(s.tenants[tenant]) {
				s.homes[home.Name] = tenant
			}
		}
		going[home.Name] = !home.DeletionTimestamp.IsZero()
	}
	if err := s.fill(ctx, c, homes, going); err != nil {
		return nil, err
	}
	return s, s.find(ctx, c, w)
}

// fill leaves out what goes with its namespace. What somebody's finalizer holds in its
// deletion stays, for its status to tell that it has left.
func (s *snapshot) fill(ctx context.Context, c client.Reader, homes map[string]string, going map[string]bool) error {
	for _, kind := range kinds {
		objects, err := list(ctx, c, kind)
		if err != nil {
			return err
		}
		for _, o := range objects {
			if held(o) || !going[o.GetNamespace()] {
				s.resources[kind] = append(s.resources[kind], &resource{object: o, tenant: homes[o.GetNamespace()], guesses: guessesOf(o, s.system)})
			}
		}
		slices.SortFunc(s.resources[kind], func(a, b *resource) int {
			if by := strings.Compare(a.object.GetNamespace(), b.object.GetNamespace()); by != 0 {
				return by
			}
			return strings.Compare(a.object.GetName(), b.object.GetName())
		})
	}
	return nil
}

// held reports whether only finalizers keep an object there.
func held(o client.Object) bool { return !o.GetDeletionTimestamp().IsZero() }

// list gives all objects of a kind.
func list(ctx context.Context, c client.Reader, kind string, options ...client.ListOption) ([]v1alpha1.Object, error) {
	into := empty(kind)
	if err := c.List(ctx, into, append(options, client.UnsafeDisableDeepCopy)...); err != nil {
		return nil, err
	}
	var all []v1alpha1.Object
	err := meta.EachListItem(into, func(o runtime.Object) error {
		all = append(all, o.(v1alpha1.Object))
		return nil
	})
	return all, err
}

// empty is a list of a kind.
func empty(kind string) client.ObjectList {
	switch kind {
	case kindConnection:
		return &v1alpha1.ConnectionList{}
	case kindOAuthClient:
		return &v1alpha1.OAuthClientList{}
	case kindMCPServer:
		return &v1alpha1.MCPServerList{}
	}
	return &v1alpha1.ModelProviderList{}
}

func nameOf(o v1alpha1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: o.GetNamespace(), Name: o.GetName()}
}
