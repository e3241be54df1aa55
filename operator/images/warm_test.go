package images_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images"
	"github.com/runkora/kora/operator/images/registrytest"
	"github.com/runkora/kora/operator/operatortest"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// warm makes an image that is to be kept pulled.
func (p *place) warm(t *testing.T, name, reference string) *v1alpha1.SandboxImage {
	t.Helper()
	return p.image(t, name, reference, func(o *v1alpha1.SandboxImage) { o.Spec.Warm = true })
}

// kept waits until an image is valid and its condition Warm has a reason.
func (p *place) kept(t *testing.T, name, reason, text string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		o := &v1alpha1.SandboxImage{}
		if err := p.Admin.Get(t.Context(), client.ObjectKey{Namespace: p.namespace, Name: name}, o); err != nil {
			return err
		}
		c := meta.FindStatusCondition(o.Status.Conditions, v1alpha1.ConditionWarm)
		if c == nil || c.Reason != reason || c.ObservedGeneration != o.Generation || !strings.Contains(c.Message, text) || !meta.IsStatusConditionTrue(o.Status.Conditions, v1alpha1.ConditionValid) {
			return fmt.Errorf("%s: %+v", name, o.Status.Conditions)
		}
		return nil
	})
}

// sets are the DaemonSets of warm images, and how many of them have all their pods.
func (p *place) sets(t *testing.T) (names []string, run int) {
	t.Helper()
	list := &appsv1.DaemonSetList{}
	if err := p.Admin.List(t.Context(), list, client.InNamespace(p.namespace), client.HasLabels{images.LabelImage}); err != nil {
		t.Fatal(err)
	}
	for _, is := range list.Items {
		names = append(names, is.Name)
		if is.DeletionTimestamp.IsZero() && is.Status.NumberReady == 2 { // the nodes of the sandboxes' pool
			run++
		}
	}
	return names, run
}

// R52: images of one digest share a DaemonSet and say so; when its image goes the next
// one carries it, and at no moment is the image not kept pulled.
func TestWarmImagesShareADaemonSet(t *testing.T) {
	p := begin(t, "shared", nil, nil)
	p.server.Push(t, "team/warm:1", registrytest.Sandbox(t, "linux/amd64", "100"))
	first := p.warm(t, "a-first", at+"/team/warm:1")
	p.kept(t, "a-first", v1alpha1.ReasonSucceeded, "the DaemonSet kora-warm-a-first keeps")
	for _, name := range []string{"b-next", "c-last"} {
		p.warm(t, name, at+"/team/warm:1")
		p.kept(t, name, v1alpha1.ReasonSucceeded, "the DaemonSet kora-warm-a-first of the SandboxImage a-first")
	}
	operatortest.Eventually(t, func() error { return onlyRuns(p, t, "kora-warm-a-first") })
	p.Quiet(t)
	if err := p.Admin.Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	operatortest.Eventually(t, func() error {
		if names, run := p.sets(t); run == 0 {
			t.Fatalf("nothing keeps the image pulled: %v", names)
		}
		return onlyRuns(p, t, "kora-warm-b-next")
	})
	p.kept(t, "c-last", v1alpha1.ReasonSucceeded, "the DaemonSet kora-warm-b-next of the SandboxImage b-next")
	p.Quiet(t)
}

func onlyRuns(p *place, t *testing.T, name string) error {
	if names, run := p.sets(t); len(names) != 1 || names[0] != name || run != 1 {
		return fmt.Errorf("%v, %d run", names, run)
	}
	return nil
}

// R52: a tenant's warm images beyond the oldest ten have no DaemonSet and say so, and
// stay valid; one that is warm no longer makes room for the next.
func TestWarmImagesHaveALimit(t *testing.T) {
	p := begin(t, "bounded", nil, map[string]any{"warmBase": true})
	image := registrytest.Sandbox(t, "linux/amd64", "100")
	var all []*v1alpha1.SandboxImage
	for n := range 12 {
		p.server.Push(t, fmt.Sprintf("team/w%02d:1", n), image)
		all = append(all, p.warm(t, fmt.Sprintf("w%02d", n), fmt.Sprintf("%s/team/w%02d:1", at, n)))
		p.says(t, all[n].Name, v1alpha1.ReasonSucceeded)
	}
	for n := range 10 {
		p.kept(t, all[n].Name, v1alpha1.ReasonSucceeded, "kora-warm-"+all[n].Name)
	}
	for _, name := range []string{"w10", "w11"} {
		p.kept(t, name, v1alpha1.ReasonLimitReached, "spec.warm: 10 different images")
		p.told(t, name, v1alpha1.ReasonLimitReached, "spec.warm")
	}
	p.kept(t, images.Base, v1alpha1.ReasonSucceeded, "kora-warm-"+images.Base)
	if names, _ := p.sets(t); len(names) != 11 {
		t.Errorf("%d DaemonSets: %v", len(names), names)
	}
	p.Quiet(t)
	patch(t, p, all[3], `{"spec":{"warm":false}}`)
	p.kept(t, "w10", v1alpha1.ReasonSucceeded, "kora-warm-w10")
	p.kept(t, "w11", v1alpha1.ReasonLimitReached, "spec.warm")
	operatortest.Eventually(t, func() error {
		if names, _ := p.sets(t); len(names) != 11 {
			return fmt.Errorf("%v", names)
		}
		return nil
	})
}
