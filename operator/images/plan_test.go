package images

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/status"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"
)

// warmImage is one that is warm and valid, of an age in seconds.
func warmImage(name, reference, digest string, age int) v1alpha1.SandboxImage {
	o := v1alpha1.SandboxImage{ObjectMeta: metav1.ObjectMeta{Namespace: "kora-tenant-a", Name: name, UID: types.UID(name), Generation: 1,
		CreationTimestamp: metav1.NewTime(moment.Add(-time.Duration(age) * time.Second))},
		Spec: v1alpha1.SandboxImageSpec{Image: reference, Warm: true}}
	o.Status.Digest = digest
	status.Set(&o, v1alpha1.ConditionValid, good(digest, nil, nil), moment)
	return o
}

func (p plan) names() (all []string) {
	for _, each := range p.kept {
		all = append(all, warmName(each.images[0]))
	}
	return all
}

// R52: images of one digest, repository and pull Secret have one DaemonSet, the
// oldest's; what differs in one of them has its own, and what is not valid has none.
func TestOneDaemonSetOfADigest(t *testing.T) {
	of := func(change func(*v1alpha1.SandboxImage)) v1alpha1.SandboxImage {
		o := warmImage("another", "r.example.com/a:1", "sha256:a", 5)
		change(&o)
		return o
	}
	shared := of(func(*v1alpha1.SandboxImage) {})
	for _, c := range []struct {
		name    string
		another v1alpha1.SandboxImage
		sets    int
		told    bool
	}{
		{"the same", shared, 1, true},
		{"another tag of the same digest", of(func(o *v1alpha1.SandboxImage) { o.Spec.Image = "r.example.com/a:2" }), 1, true},
		{"by digest", of(func(o *v1alpha1.SandboxImage) { o.Spec.Image = "r.example.com/a@sha256:a" }), 1, true},
		{"another digest", warmImage("another", "r.example.com/a:1", "sha256:b", 5), 2, true},
		{"another repository", of(func(o *v1alpha1.SandboxImage) { o.Spec.Image = "r.example.com/b:1" }), 2, true},
		{"another pull Secret", of(func(o *v1alpha1.SandboxImage) { o.Spec.PullSecretRef = &v1alpha1.LocalReference{Name: "x"} }), 2, true},
		{"not warm", of(func(o *v1alpha1.SandboxImage) { o.Spec.Warm = false }), 1, false},
		{"not valid", of(func(o *v1alpha1.SandboxImage) { o.Status.Conditions = nil }), 1, false},
		{"on its way out", of(func(o *v1alpha1.SandboxImage) { o.DeletionTimestamp = &metav1.Time{Time: moment} }), 1, false},
	} {
		r := &Reconciler{}
		p := r.plan([]v1alpha1.SandboxImage{c.another, warmImage("first", "r.example.com/a:1", "sha256:a", 9)}, 0)
		v, told := p.verdicts["another"]
		if len(p.kept) != c.sets || p.names()[0] != "kora-warm-first" || told != c.told || told && !v.True() {
			t.Errorf("%s: %v %+v", c.name, p.names(), p.verdicts)
		}
		if says := strings.Contains(v.Message, "kora-warm-first of the SandboxImage first"); says != (c.told && c.sets == 1) {
			t.Errorf("%s: %s", c.name, v.Message)
		}
		owned := r.daemonSet(p.kept[0]).OwnerReferences
		if *owned[0].Controller != true || owned[0].Name != "first" || (len(owned) == 2) != (c.told && c.sets == 1) {
			t.Errorf("%s: %+v", c.name, owned)
		}
	}
}

// R52: however many warm images a tenant has, the oldest are kept pulled; the platform's
// are, whatever a tenant has.
func TestWarmImagesAreBounded(t *testing.T) {
	r := &Reconciler{platform: map[string]bool{"r.example.com/kora/base:1": true}}
	list := []v1alpha1.SandboxImage{warmImage(Base, "r.example.com/kora/base:1", "sha256:base", 0)}
	for n := range 200 {
		list = append(list, warmImage(fmt.Sprintf("w%03d", n), fmt.Sprintf("r.example.com/w%d:1", n), "sha256:a", 1+n%100))
		list = append(list, warmImage(fmt.Sprintf("same%03d", n), "r.example.com/same:1", "sha256:a", 500))
	}
	p := r.plan(list, 0)
	names := p.names()
	if len(names) != maxWarm+1 || names[0] != "kora-warm-same000" || !slices.Contains(names, "kora-warm-"+Base) || !slices.Contains(names, "kora-warm-w099") {
		t.Errorf("%d: %v", len(names), names)
	}
	beyond := 0
	for name, v := range p.verdicts {
		if v.Reason == v1alpha1.ReasonLimitReached {
			beyond++
			if p.has("kora-warm-"+name) || !strings.Contains(v.Message, "spec.warm") {
				t.Errorf("%s: %+v", name, v)
			}
		}
	}
	if beyond != 200-(maxWarm-1) || len(p.verdicts) != 401 {
		t.Errorf("%d of %d are beyond", beyond, len(p.verdicts))
	}
	slices.Reverse(list)
	if again := r.plan(list, 0).names(); !slices.Equal(again, names) {
		t.Errorf("%v, and in another order %v", names, again)
	}
}

// R52: a DaemonSet of which another takes the place waits for that one's pods, but not
// for ever, and not without one.
func TestADaemonSetWaitsForTheNext(t *testing.T) {
	list := []v1alpha1.SandboxImage{warmImage("next", "r.example.com/a:1", "sha256:a", 1)}
	next := appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "kora-warm-next", Generation: 1, CreationTimestamp: metav1.NewTime(moment)}}
	next.Status.ObservedGeneration, next.Status.DesiredNumberScheduled = 1, 2
	up := next
	up.Status.NumberReady = 2
	for _, c := range []struct {
		name    string
		image   string
		running []appsv1.DaemonSet
		later   time.Duration
		waits   bool
	}{
		{"the next is not there yet", "r.example.com/a@sha256:a", nil, 0, true},
		{"its pods start", "r.example.com/a@sha256:a", []appsv1.DaemonSet{next}, 0, true},
		{"its pods do not start", "r.example.com/a@sha256:a", []appsv1.DaemonSet{next}, replaced, false},
		{"its pods run", "r.example.com/a@sha256:a", []appsv1.DaemonSet{up}, 0, false},
		{"nobody carries the image", "r.example.com/a@sha256:b", nil, 0, false},
	} {
		r := &Reconciler{clock: clocktesting.NewFakePassiveClock(moment.Add(c.later))}
		if got := r.takenOver(r.plan(list, 0), c.image, c.running); got != c.waits {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// R30, R53: every image that the settings may have is one that a plan of a deletion
// knows as the operator's, and has a description.
func TestTheNamesOfBundledImagesAreKnown(t *testing.T) {
	if names := slices.Sorted(maps.Keys(descriptions)); !slices.Equal(names, v1alpha1.BundledImages) {
		t.Errorf("described are %v, known %v", names, v1alpha1.BundledImages)
	}
}
