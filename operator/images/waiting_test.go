package images_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// secretsRead counts the reads of one Secret, whoever's it is.
func secretsRead(name string, n *atomic.Int32) *operatortest.Answers {
	a := &operatortest.Answers{}
	a.When(func(r *http.Request) int {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/secrets/"+name) {
			n.Add(1)
		}
		return operatortest.Pass
	})
	return a
}

// R50, R52: an image that waits for its turn at a registry costs the API server no read of
// its pull Secret, however often it is looked at; when its turn comes, it is read with it.
func TestAWaitingImageReadsNoSecrets(t *testing.T) {
	const waiting, held = 10, 2
	release, begun := make(chan struct{}), atomic.Int32{}
	p := begin(t, "waiting", func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "/team/held-") {
			begun.Add(1)
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
		return false
	}, nil)
	if err := p.run.Stop(); err != nil {
		t.Fatal(err)
	}
	p.pullSecret(t, "own", corev1.SecretTypeDockerConfigJson, map[string]string{corev1.DockerConfigJsonKey: `{"auths":{}}`})
	var read atomic.Int32
	p.access = secretsRead("own", &read).Wrap(p.Access())
	p.hurry = func(r *images.Reconciler) { r.Hurry(registry.Limits{Time: 10 * time.Minute}, clock.RealClock{}) }
	p.start(t)
	with := func(o *v1alpha1.SandboxImage) { o.Spec.PullSecretRef = &v1alpha1.LocalReference{Name: "own"} }
	p.server.Push(t, "team/good:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	for i := range held {
		p.image(t, fmt.Sprintf("held-%d", i), fmt.Sprintf("%s/team/held-%d:1", at, i), with)
	}
	operatortest.Eventually(t, func() error {
		if n := begun.Load(); n < held {
			return fmt.Errorf("%d are being read", n)
		}
		return nil
	})
	var those []*v1alpha1.SandboxImage
	for i := range waiting {
		those = append(those, p.image(t, fmt.Sprintf("waiting-%d", i), at+"/team/good:1", with))
	}
	for _, o := range those {
		p.says(t, o.Name, v1alpha1.ReasonProgressing, "its turn comes by itself")
	}
	before := read.Load()
	for round := range 5 { // each is looked at again since somebody meddles with its status
		for _, o := range those {
			now := p.says(t, o.Name, v1alpha1.ReasonProgressing)
			meddled := now.DeepCopy()
			meddled.Status.Conditions = nil
			if err := p.Admin.Status().Patch(t.Context(), meddled, client.MergeFrom(now)); err != nil {
				t.Fatal(err)
			}
		}
		for _, o := range those {
			p.says(t, o.Name, v1alpha1.ReasonProgressing, "its turn comes by itself")
		}
		if more := read.Load() - before; more > 0 {
			t.Fatalf("round %d: %d reads of the pull Secret by %d images that wait", round, more, waiting)
		}
	}
	close(release)
	for _, o := range those {
		p.says(t, o.Name, v1alpha1.ReasonSucceeded)
	}
	if read.Load() == before {
		t.Error("they were read without their Secret")
	}
}
