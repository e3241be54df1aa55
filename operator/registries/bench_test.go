package registries

import (
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"k8s.io/apimachinery/pkg/types"
)

// BenchmarkPass judges and splits registries of several sizes: R51 asks for a cost
// that grows with the number of resources and no faster.
func BenchmarkPass(b *testing.B) {
	for _, tenants := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("%d resources", tenants*10), func(b *testing.B) {
			for b.Loop() {
				s, known := many(tenants)
				s.judge(known)
				all := s.registries()
				generation := stamp(all)
				for _, r := range all {
					if len(r.split(generation, MaxShard)) == 0 {
						b.Fatal("no shard")
					}
				}
			}
		})
	}
}

// many is a snapshot of tenants with ten connections each, all with a Secret.
func many(tenants int) (*snapshot, *secrets) {
	s := &snapshot{tenants: map[string]*v1alpha1.KoraTenant{}, resources: map[string][]*resource{}}
	known := &secrets{key: []byte("k"), known: map[types.NamespacedName]remembered{}}
	for i := range tenants {
		tenant := fmt.Sprintf("t-%04d", i)
		s.tenants[tenant] = &v1alpha1.KoraTenant{}
		for j := range 10 {
			c := &v1alpha1.Connection{}
			c.Namespace, c.Name = v1alpha1.TenantNamespace(tenant), fmt.Sprintf("c-%d", j)
			c.Spec.Hosts = []v1alpha1.Host{"api.example.com"}
			c.Spec.Authentication = v1alpha1.Authentication{Type: v1alpha1.AuthenticationBearer, SecretRef: &v1alpha1.CredentialsReference{LocalReference: v1alpha1.LocalReference{Name: "s"}, Key: "token"}}
			s.resources[kindConnection] = append(s.resources[kindConnection], &resource{object: c, tenant: tenant})
		}
		secret := secretOf(v1alpha1.TenantNamespace(tenant), map[string]string{"token": "x"})
		known.known[types.NamespacedName{Namespace: secret.Namespace, Name: "s"}] = remembered{facts: learn(known.key, secret)}
	}
	return s, known
}
