package images

import (
	"slices"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	"github.com/runkora/kora/operator/tenants/proof"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
			status.Set(o, v1alpha1.ConditionValid, good("sha256:a", nil), moment)
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
		for _, each := range r.plan(believed).kept {
			digest += each.images[0].Status.Digest
		}
		if digest != c.digest || !slices.Equal(open, slices.DeleteFunc([]string{c.open}, func(s string) bool { return s == "" })) {
			t.Errorf("%s: pulled %q, open %v", c.name, digest, open)
		}
	}
}

// R52: what runs for an image that is not judged yet is left out of what is removed.
func TestWhatIsNotJudgedRunsOn(t *testing.T) {
	of := func(name string) appsv1.DaemonSet { return appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: name}} }
	running := []appsv1.DaemonSet{of("kora-warm-a"), of("kora-warm-b")}
	if got := without(running, []string{"kora-warm-a"}); len(got) != 1 || got[0].Name != "kora-warm-b" || running[0].Name != "kora-warm-a" {
		t.Errorf("%+v of %+v", got, running)
	}
}
