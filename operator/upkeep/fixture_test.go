package upkeep_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/runkora/kora/internal/testcluster"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/upkeep"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func TestMain(m *testing.M) { os.Exit(testcluster.Main(m)) }

// place is a tenant's namespace, in which the operator has its rights.
type place struct {
	*operatortest.World
	keeper    upkeep.Keeper
	namespace string
}

func begin(t *testing.T, tenant string) *place {
	t.Helper()
	w := operatortest.New(t, nil)
	operator, err := client.New(w.Access(), client.Options{Scheme: w.Admin.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	p := &place{w, upkeep.Keeper{Client: operator, Live: operator}, v1alpha1.TenantNamespace(tenant)}
	home := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: p.namespace}}
	rights := &rbacv1.RoleBinding{ObjectMeta: p.named("kora-operator-tenant"), RoleRef: role("kora-operator-tenant"), Subjects: account("kora-operator")}
	for _, o := range []client.Object{home, rights} {
		if err := w.Admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = w.Admin.Delete(context.Background(), home) })
	operatortest.Eventually(t, func() error { // until RBAC knows it
		return client.IgnoreNotFound(operator.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: "none"}, &corev1.ConfigMap{}))
	})
	return p
}

func (p *place) named(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: p.namespace, Name: name}
}

func role(name string) rbacv1.RoleRef {
	return rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name}
}

func account(name string) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: name, Namespace: operatortest.System}}
}

// configMap is one as the operator keeps it.
func (p *place) configMap(data map[string]string) upkeep.Thing {
	want := &corev1.ConfigMap{ObjectMeta: p.named("kept"), Data: data}
	want.Labels = map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}
	return upkeep.Thing{Want: want, Uncached: true,
		Same: func(live client.Object) bool {
			o := live.(*corev1.ConfigMap)
			return equality.Semantic.DeepEqual(o.Data, data) && len(o.BinaryData) == 0
		},
		Fixed: func(live client.Object) bool {
			o := live.(*corev1.ConfigMap)
			return o.Immutable != nil && *o.Immutable
		}}
}

// binding is a RoleBinding as the operator keeps it: its role cannot change.
func (p *place) binding() upkeep.Thing {
	want := &rbacv1.RoleBinding{ObjectMeta: p.named("kora-egress-tenant"), RoleRef: role("kora-egress-tenant"), Subjects: account("kora-egress")}
	want.Labels = map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}
	return upkeep.Thing{Want: want,
		Same: func(live client.Object) bool {
			o := live.(*rbacv1.RoleBinding)
			return o.RoleRef == want.RoleRef && equality.Semantic.DeepEqual(o.Subjects, want.Subjects)
		},
		Fixed: func(live client.Object) bool { return live.(*rbacv1.RoleBinding).RoleRef != want.RoleRef }}
}

// keep keeps a thing and gives what was written for it, "PATCH POST".
func (p *place) keep(t *testing.T, thing upkeep.Thing) string {
	t.Helper()
	p.Requests.Reset()
	if err := p.keeper.Keep(t.Context(), thing); err != nil {
		t.Fatal(err)
	}
	return p.written()
}

func (p *place) written() string {
	var verbs []string
	for _, w := range p.Requests.Writes() {
		verb, _, _ := strings.Cut(w, " ")
		verbs = append(verbs, verb)
	}
	return strings.Join(verbs, " ")
}

func (p *place) get(t *testing.T, o client.Object, name string) {
	t.Helper()
	if err := p.Admin.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: name}, o); err != nil {
		t.Fatal(err)
	}
}

func (p *place) patch(t *testing.T, o client.Object, change string) {
	t.Helper()
	if err := p.Admin.Patch(t.Context(), o, client.RawPatch("application/merge-patch+json", []byte(change))); err != nil {
		t.Fatal(err)
	}
}
