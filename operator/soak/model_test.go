package soak_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// model is what there should be: tenants, and of each its resources by kind and name.
type model struct {
	mu      sync.Mutex
	random  *rand.Rand
	tenants map[string]map[string]client.Object
	next    int // of names of tenants that are made while things change
	// authorities are tenants' certificates as they were first seen.
	authorities map[string]string
}

func newModel(seed uint64) *model {
	return &model{random: rand.New(rand.NewPCG(seed, 7)), tenants: map[string]map[string]client.Object{}, authorities: map[string]string{}}
}

func (m *model) add(tenant string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tenants[tenant] = map[string]client.Object{}
	for _, o := range resourcesOf(tenant) {
		m.tenants[tenant][id(o)] = o
	}
}

func (m *model) set(tenant string, o client.Object) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tenants[tenant][id(o)] = o
}

func (m *model) drop(tenant, id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.tenants[tenant], id)
}

func (m *model) forget(tenant string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.tenants, tenant)
	delete(m.authorities, tenant)
}

// names are those of all tenants, sorted.
func (m *model) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.tenants))
}

// pick gives one of the tenants.
func (m *model) pick() string {
	names := m.names()
	return names[m.below(len(names))]
}

func (m *model) below(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.random.IntN(n)
}

// bundled are the images that the operator makes in every tenant's namespace.
var bundled = []string{"kora-base", "kora-go", "kora-node", "kora-python"}

// objects counts those of kora's kinds that there should be.
func (m *model) objects() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	total := 0
	for _, resources := range m.tenants {
		total += 1 + len(resources) + len(bundled)
	}
	return total
}

// id is "Connection github".
func id(o client.Object) string {
	return fmt.Sprintf("%s %s", status.Kind(o.(v1alpha1.Object)), o.GetName())
}

// lists are empty ones of kora's kinds.
func lists() []client.ObjectList {
	return []client.ObjectList{&v1alpha1.KoraTenantList{}, &v1alpha1.ConnectionList{}, &v1alpha1.OAuthClientList{},
		&v1alpha1.MCPServerList{}, &v1alpha1.ModelProviderList{}, &v1alpha1.SandboxImageList{}}
}

func objects(list client.ObjectList) (all []v1alpha1.Object) {
	_ = meta.EachListItem(list, func(o runtime.Object) error { all = append(all, o.(v1alpha1.Object)); return nil })
	return all
}

// summary is the condition that sums an object up, nil where there is none yet.
func summary(o v1alpha1.Object) *metav1.Condition {
	return meta.FindStatusCondition(o.Common().Conditions, status.Summary(o))
}
