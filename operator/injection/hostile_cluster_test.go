package injection_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
)

// stuffed is a sandbox with more containers and volumes, which nobody could run.
func stuffed(at string, containers, volumes int) *corev1.Pod {
	p := built(at, "coder", "type-7").Sandbox
	for n := range containers {
		p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: fmt.Sprint("c", n), Image: "x"})
	}
	for n := range volumes {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: fmt.Sprint("v", n), VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
	}
	return p
}

// R6, R54: the API server passes on why a pod is refused that is too large to be judged,
// or that has root's group for all its containers.
func TestHostilePodsAreRefusedWithTheWayOut(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "stuffed")
	group := func(set func(*corev1.PodSecurityContext, *int64)) *corev1.Pod {
		p, root := built(at, "coder", "type-7").Sandbox, int64(0)
		set(p.Spec.SecurityContext, &root)
		return p
	}
	for says, pod := range map[string]*corev1.Pod{
		"spec.containers has 701 containers":                        stuffed(at, 700, 8),
		"spec.volumes has 60":                                       stuffed(at, 1, 600),
		"values (objects, lists and what stands in them)":           stuffed(at, 1, 5000),
		`spec.securityContext.runAsGroup "0" must be 100`:           group(func(s *corev1.PodSecurityContext, id *int64) { s.RunAsGroup = id }),
		`spec.securityContext.fsGroup "0" is root's group`:          group(func(s *corev1.PodSecurityContext, id *int64) { s.FSGroup = id }),
		`securityContext.supplementalGroups[0] "0" is root's group`: group(func(s *corev1.PodSecurityContext, id *int64) { s.SupplementalGroups = []int64{*id} }),
	} {
		if err := h.Admin.Create(t.Context(), pod, client.DryRunAll); err == nil || !strings.Contains(err.Error(), "inject.runkora.io") || !strings.Contains(err.Error(), says) {
			t.Errorf("%.600v\nwant %s", err, says)
		}
	}
}

// R54: while one tenant makes hostile pods without an end, all within the bounds,
// another's pods are admitted, and none of the hostile ones.
func TestAnotherTenantIsAdmittedDuringAFlood(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	evil, good := tenantOf(t, h, "flooding"), tenantOf(t, h, "calm")
	var flood sync.WaitGroup
	end, first := make(chan struct{}), make(chan struct{}, 8)
	for range cap(first) {
		flood.Go(func() {
			for n := 0; ; n++ {
				err := h.Admin.Create(t.Context(), stuffed(evil, 60, 250), client.DryRunAll)
				if err == nil {
					t.Error("a hostile pod is admitted")
				}
				if n == 0 {
					first <- struct{}{}
				}
				select {
				case <-end:
					return
				default:
				}
			}
		})
	}
	for range cap(first) {
		<-first
	}
	for range 10 {
		operatortest.Eventually(t, func() error {
			return h.Admin.Create(t.Context(), built(good, "coder", "type-7").Sandbox, client.DryRunAll)
		})
	}
	close(end)
	flood.Wait()
}
