package images

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants/proof"
	appsv1 "k8s.io/api/apps/v1"
	clocktesting "k8s.io/utils/clock/testing"
)

// R52: nothing is pulled by a status that somebody else wrote, not for a moment, whether
// before the operator looked or after; and what runs for an image that is not judged yet
// is not taken away by one.
func TestWarmImagesAreBelievedAsJudged(t *testing.T) {
	for _, c := range []struct {
		name         string
		known        bool // judged in this run, as sha256:a
		proven       bool
		change       func(*v1alpha1.SandboxImage) // by somebody else
		digest, open string
	}{
		{"proven to be read before the start", false, true, nil, "sha256:a", ""},
		{"valid by nobody's word", false, false, nil, "", "kora-warm-x"},
		{"another digest beside an old mark", false, true, func(o *v1alpha1.SandboxImage) { o.Status.Digest = "sha256:b" }, "", "kora-warm-x"},
		{"not valid by somebody's word", false, true, func(o *v1alpha1.SandboxImage) { o.Status.Conditions = nil }, "", "kora-warm-x"},
		{"another digest since it was judged", true, true, func(o *v1alpha1.SandboxImage) { o.Status.Digest = "sha256:b" }, "sha256:a", ""},
		{"not valid since it was judged", true, false, func(o *v1alpha1.SandboxImage) { o.Status = v1alpha1.SandboxImageStatus{} }, "sha256:a", ""},
		{"another reference since it was judged", true, true, func(o *v1alpha1.SandboxImage) {
			o.Generation++
			status.Set(o, v1alpha1.ConditionValid, good("sha256:a", nil, nil), moment)
		}, "", "kora-warm-x"},
		{"not warm, and not judged", false, false, func(o *v1alpha1.SandboxImage) { o.Spec.Warm = false }, "", ""},
		{"another object of its name", true, false, func(o *v1alpha1.SandboxImage) { o.UID = "another" }, "", "kora-warm-x"},
	} {
		r := &Reconciler{clock: clocktesting.NewFakePassiveClock(moment), marks: marks{key: make([]byte, 32)}}
		r.schedule = schedule{period: time.Minute, clock: r.clock}
		image := warmImage("x", "r.example.com/a:1", "sha256:a", 1)
		if c.known {
			r.schedule.read(&image, finding{read: true})
		}
		if c.proven {
			image.Annotations = map[string]string{v1alpha1.AnnotationMark: proof.Read(r.marks.key, &image)}
		}
		if c.change != nil {
			c.change(&image)
		}
		believed, open, err := r.believe(t.Context(), []v1alpha1.SandboxImage{image})
		if err != nil {
			t.Fatal(err)
		}
		digest := ""
		for _, each := range r.plan(believed, 0).kept {
			digest += each.images[0].Status.Digest
		}
		if digest != c.digest || !slices.Equal(open, slices.DeleteFunc([]string{c.open}, func(s string) bool { return s == "" })) {
			t.Errorf("%s: pulled %q, open %v", c.name, digest, open)
		}
	}
}

// R52: what runs for an image that is not judged yet is left out of what is removed, and
// has a place among those of its tenant: who changes images all the time has no more.
func TestWhatIsNotJudgedRunsOn(t *testing.T) {
	var running []appsv1.DaemonSet
	var open []string
	r, list := &Reconciler{}, []v1alpha1.SandboxImage(nil)
	for i := range maxWarm {
		image := warmImage(fmt.Sprint("open", i), "r.example.com/a:1", "sha256:a", 99)
		running, open = append(running, *r.daemonSet(carried{images: []*v1alpha1.SandboxImage{&image}})), append(open, warmName(&image))
		list = append(list, warmImage(fmt.Sprint("more", i), "r.example.com/a:1", fmt.Sprint("sha256:", i), 1))
	}
	running = append(running, *running[0].DeepCopy(), *running[1].DeepCopy())
	running[maxWarm].Name = "kora-warm-another"
	running[1].OwnerReferences = nil // not the operator's any more
	stay, rest := apart(running, open)
	if len(stay) != maxWarm || len(rest) != 2 || rest[1].Name != "kora-warm-another" {
		t.Errorf("%d stay, and %d do not", len(stay), len(rest))
	}
	for n := range maxWarm + 3 {
		if p := r.plan(list, n); len(p.kept) != max(maxWarm-n, 0) || len(p.verdicts) != len(list) {
			t.Errorf("beside %d that stay: %v", n, p.names())
		}
	}
}
