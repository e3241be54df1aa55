package images_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R52: the images of one tenant whose registries are silent hold up nobody else's, at
// another registry or at the same one: of the readers a tenant has its share, and those
// behind it wait and say so.
func TestASilentRegistryHoldsUpNobodyElse(t *testing.T) {
	var silent, most atomic.Int32
	hang := func(_ http.ResponseWriter, r *http.Request) bool {
		now := silent.Add(1)
		defer silent.Add(-1)
		for was := most.Load(); now > was && !most.CompareAndSwap(was, now); was = most.Load() {
		}
		<-r.Context().Done() // the reader's time ends, or the test
		return true
	}
	another := registrytest.Serve(t, hang)
	p := begin(t, "fair", nil, nil)
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	server := registrytest.Serve(t, func(w http.ResponseWriter, r *http.Request) bool {
		return strings.HasPrefix(r.URL.Path, "/v2/silent/") && hang(w, r)
	})
	p.server = server
	server.Push(t, "kora/base:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	server.Push(t, "team/good:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	p.Settings.SandboxImages.RegistryMirrors = map[string]string{at: server.URL, "silent.example.com": another.URL}
	p.start(t)
	p.Home(t, "fair-other", func() error { return p.run.Stop() })
	for i := range 64 {
		host := []string{at, "silent.example.com"}[i%2]
		p.image(t, fmt.Sprintf("silent-%d", i), fmt.Sprintf("%s/silent/image-%d:1", host, i), nil)
	}
	operatortest.Eventually(t, func() error {
		if most.Load() == 0 {
			return fmt.Errorf("no image is read")
		}
		return nil
	})
	other := func(name, reference string) *v1alpha1.SandboxImage {
		return &v1alpha1.SandboxImage{ObjectMeta: metav1.ObjectMeta{Namespace: v1alpha1.TenantNamespace("fair-other"), Name: name}, Spec: v1alpha1.SandboxImageSpec{Image: reference}}
	}
	good := other("good", at+"/team/good:1")
	operatortest.Eventually(t, func() error { return p.Admin.Create(t.Context(), good) })
	operatortest.Says(t, p.World, good, v1alpha1.ReasonSucceeded)
	p.says(t, "silent-63", v1alpha1.ReasonProgressing, "silent.example.com", "its turn comes by itself")
	if most.Load() > 2 {
		t.Errorf("%d readers hang at once for one tenant", most.Load())
	}
}
