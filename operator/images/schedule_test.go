package images

import (
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/settings"
	"github.com/runkora/kora/operator/status"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
)

func settingsOf(enabled map[string]bool) settings.Images {
	s := settings.Images{Base: settings.Base{Image: "ghcr.io/a/base:1"}, Bundled: map[string]settings.Bundled{}}
	for name, on := range enabled {
		s.Bundled[name] = settings.Bundled{Enabled: on, Image: "ghcr.io/a/" + name + ":1"}
	}
	return s
}

var moment = time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)

func image(generation int64) *v1alpha1.SandboxImage {
	i := &v1alpha1.SandboxImage{}
	i.Namespace, i.Name, i.UID, i.Generation = "kora-tenant-a", "image", "u", generation
	return i
}

// R52: read again each period with jitter, sooner and later each time after a
// failure, at once for another spec, and never during a pause.
func TestSchedule(t *testing.T) {
	wait := func(s *schedule, i *v1alpha1.SandboxImage) time.Duration {
		d, stale := s.wait(i, false)
		if stale {
			t.Error("it is stale")
		}
		return d
	}
	now := clocktesting.NewFakePassiveClock(moment)
	s := &schedule{period: 10 * time.Minute, clock: now}
	if wait(s, image(1)) != 0 {
		t.Error("a new image waits")
	}
	within := func(got, least, most time.Duration) {
		t.Helper()
		if got < least || got > most {
			t.Errorf("%s, not %s to %s", got, least, most)
		}
	}
	within(s.read(image(1), finding{read: true}), 8*time.Minute, 10*time.Minute)
	within(wait(s, image(1)), 8*time.Minute, 10*time.Minute)
	if wait(s, image(2)) != 0 {
		t.Error("a changed image waits")
	}
	for _, most := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second} {
		within(s.read(image(2), finding{}), most*8/10, most)
	}
	for range 80 {
		within(s.read(image(2), finding{}), time.Second, 10*time.Minute)
	}
	within(s.read(image(2), finding{pause: time.Hour}), time.Hour, time.Hour)
	now.SetTime(moment.Add(time.Hour))
	if wait(s, image(2)) != 0 {
		t.Error("its time has come, and it waits")
	}
	s.forget(nameOf(image(2)))
	if wait(s, image(2)) != 0 || len(s.next) != 0 {
		t.Error("it is not forgotten")
	}
}

// R52: a cache that lags decides nothing, and a status that somebody else wrote is
// written again.
func TestScheduleKnowsAStaleCache(t *testing.T) {
	now := clocktesting.NewFakePassiveClock(moment)
	s := &schedule{period: 10 * time.Minute, clock: now}
	seen := image(1)
	seen.Status.Digest = "sha256:a"
	s.read(seen, finding{read: true})
	if _, stale := s.wait(image(1), false); !stale {
		t.Error("a status of before the read is believed")
	}
	if wait, stale := s.wait(seen, false); stale || wait == 0 {
		t.Errorf("%s, stale %v", wait, stale)
	}
	now.SetTime(moment.Add(lag))
	if wait, stale := s.wait(image(1), false); stale || wait != 0 {
		t.Errorf("somebody else's status is left: %s, %v", wait, stale)
	}
}

// R50, R52: a read that finds what the status says changes nothing of it, however
// much later; one that finds another digest tells when.
func TestSameFindingWritesNothing(t *testing.T) {
	now := clocktesting.NewFakePassiveClock(moment)
	r := &Reconciler{clock: now}
	found := finding{verdict: status.Good("x"), read: true, image: registry.Image{Digest: "sha256:a", Platforms: []string{"linux/amd64"}}}
	i := image(1)
	r.note(t.Context(), i, found)
	if i.Status.CheckedAt == nil || !i.Status.CheckedAt.Time.Equal(moment) || i.Status.Digest != "sha256:a" {
		t.Fatalf("%+v", i.Status)
	}
	before := i.Status.DeepCopy()
	now.SetTime(moment.Add(time.Hour))
	if r.note(t.Context(), i, found); !equality.Semantic.DeepEqual(*before, i.Status) {
		t.Errorf("the same was found, and the status changed to %+v", i.Status)
	}
	found.image.Digest = "sha256:b"
	if r.note(t.Context(), i, found); i.Status.Digest != "sha256:b" || !i.Status.CheckedAt.Time.Equal(now.Now()) {
		t.Errorf("another digest, and the status is %+v", i.Status)
	}
}

// R52: a warm image is pulled only where it runs: the placement holds, and so does
// the platform, in each of the affinity's terms.
func TestWarmLeavesOutOtherPlatforms(t *testing.T) {
	term := func(e ...corev1.NodeSelectorRequirement) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: e}
	}
	zone := func(name string) corev1.NodeSelectorRequirement {
		return corev1.NodeSelectorRequirement{Key: "zone", Operator: corev1.NodeSelectorOpIn, Values: []string{name}}
	}
	required := func(terms ...corev1.NodeSelectorTerm) *corev1.Affinity {
		return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
	}
	node := func(zone, arch string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Labels: map[string]string{"zone": zone, corev1.LabelArchStable: arch}}
	}
	for name, c := range map[string]struct {
		where     *corev1.Affinity
		platforms []string
		takes     []metav1.ObjectMeta
		leaves    []metav1.ObjectMeta
	}{
		"no affinity":            {nil, []string{"linux/amd64"}, []metav1.ObjectMeta{node("a", "amd64")}, []metav1.ObjectMeta{node("a", "arm64")}},
		"two platforms":          {nil, []string{"linux/amd64", "linux/arm64/v8"}, []metav1.ObjectMeta{node("a", "amd64"), node("a", "arm64")}, []metav1.ObjectMeta{node("a", "s390x")}},
		"in place of others":     {nil, []string{"linux/386", "linux/arm/v7"}, []metav1.ObjectMeta{node("a", "amd64"), node("a", "arm64"), node("a", "386")}, []metav1.ObjectMeta{node("a", "s390x")}},
		"each of two terms":      {required(term(zone("a")), term(zone("b"))), []string{"linux/arm64"}, []metav1.ObjectMeta{node("a", "arm64"), node("b", "arm64")}, []metav1.ObjectMeta{node("a", "amd64"), node("b", "amd64"), node("c", "arm64")}},
		"a term that takes none": {required(term()), []string{"linux/amd64"}, nil, []metav1.ObjectMeta{node("a", "amd64")}},
		"platforms not known":    {required(term(zone("a"))), nil, []metav1.ObjectMeta{node("a", "amd64")}, []metav1.ObjectMeta{node("b", "amd64")}},
	} {
		given := c.where.DeepCopy()
		got := settings.Placement{Affinity: onPlatforms(c.where, c.platforms)}
		for _, n := range c.takes {
			if !admits(got, n) {
				t.Errorf("%s: %v is left out", name, n.Labels)
			}
		}
		for _, n := range c.leaves {
			if admits(got, n) {
				t.Errorf("%s: %v is taken", name, n.Labels)
			}
		}
		if !equality.Semantic.DeepEqual(given, c.where) {
			t.Errorf("%s: the settings were changed", name)
		}
	}
}

// R52: which nodes count are those that sandboxes may run on.
func TestAdmits(t *testing.T) {
	node := metav1.ObjectMeta{Name: "node", Labels: map[string]string{"tier": "sandbox", "size": "8"}}
	affinity := func(terms ...corev1.NodeSelectorTerm) settings.Placement {
		return settings.Placement{Affinity: &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}}
	}
	term := func(key string, o corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
		return corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: o, Values: values}}}
	}
	for i, c := range []struct {
		where settings.Placement
		want  bool
	}{
		{settings.Placement{}, true},
		{settings.Placement{NodeSelector: map[string]string{"tier": "sandbox"}}, true},
		{settings.Placement{NodeSelector: map[string]string{"tier": "other"}}, false},
		{affinity(term("tier", corev1.NodeSelectorOpIn, "a", "sandbox")), true},
		{affinity(term("tier", corev1.NodeSelectorOpNotIn, "sandbox")), false},
		{affinity(term("zone", corev1.NodeSelectorOpExists)), false},
		{affinity(term("zone", corev1.NodeSelectorOpDoesNotExist)), true},
		{affinity(term("size", corev1.NodeSelectorOpGt, "7")), true},
		{affinity(term("size", corev1.NodeSelectorOpLt, "7")), false},
		{affinity(term("zone", corev1.NodeSelectorOpExists), term("tier", corev1.NodeSelectorOpExists)), true},
		{affinity(corev1.NodeSelectorTerm{}), false},
	} {
		if admits(c.where, node) != c.want {
			t.Errorf("%d: not %v", i, c.want)
		}
	}
}
