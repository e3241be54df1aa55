package images

import (
	"fmt"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/images/registry"
	"github.com/runkora/kora/operator/status"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"
)

// R52: an operator that starts anew leaves valid images for the rest of their
// period, spreads those whose period is over, and reads all others at once.
func TestScheduleOfAStart(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(moment)
	started := func() *schedule { return &schedule{period: 10 * time.Minute, clock: clock} }
	s := started()
	for _, c := range []struct {
		age  time.Duration
		good bool
		want time.Duration
	}{{time.Minute, true, 9 * time.Minute}, {-time.Hour, true, 0}, {time.Minute, false, 0}} {
		i := image(3)
		at := metav1.NewTime(moment.Add(-c.age))
		i.Status.CheckedAt, i.Status.Digest, i.Status.Platforms = &at, "sha256:a", []string{"linux/amd64"}
		v := status.Bad(v1alpha1.ReasonWrongUser, "x")
		if c.good {
			v = good("sha256:a", nil, nil)
		}
		status.Set(i, v1alpha1.ConditionValid, v, moment)
		each := started()
		if got, stale := each.wait(i, true); got != c.want || stale {
			t.Errorf("%+v: %s", c, got)
		}
		clock.SetTime(moment.Add(2 * lag)) // and what somebody writes over it is read
		i.Status.Digest = "sha256:b"
		if got, stale := each.wait(i, true); got != 0 || stale {
			t.Errorf("%+v, meddled with: %s, %v", c, got, stale)
		}
		clock.SetTime(moment)
	}
	moments := map[time.Duration]bool{}
	for n := range 20 {
		i := image(3)
		i.Name = fmt.Sprint("old", n)
		at := metav1.NewTime(moment.Add(-time.Hour))
		i.Status.CheckedAt, i.Status.Digest, i.Status.Platforms = &at, "sha256:a", []string{"linux/amd64"}
		status.Set(i, v1alpha1.ConditionValid, good("sha256:a", nil, nil), moment)
		first, _ := s.wait(i, true)
		if again, stale := s.wait(i, true); first < 0 || first > 2*time.Minute || again != first || stale {
			t.Errorf("%s, then %s", first, again)
		}
		moments[first] = true
	}
	if len(moments) < 15 {
		t.Errorf("20 old images come at %d moments", len(moments))
	}
}

// R52: a status that no operator writes spares no registry, though it says that the
// image is valid: it was written while none ran.
func TestScheduleOfAStartKnowsItsOwnWords(t *testing.T) {
	at := metav1.NewTime(moment.Add(-time.Minute))
	const read = "sha256:a"
	for _, c := range []struct {
		name      string
		digest    string
		platforms []string
		verdict   status.Verdict
		own       bool
	}{
		{"as it is written", read, []string{"linux/amd64"}, good(read, nil, nil), true},
		{"for some of the nodes", read, []string{"linux/386"}, good(read, nil, []string{"linux/amd64"}), true},
		{"not for every node", read, []string{"linux/amd64"}, good(read, []string{"linux/arm64"}, nil), true},
		{"since its registry is out", read, []string{"linux/amd64"}, (&Reconciler{clock: clocktesting.NewFakePassiveClock(moment)}).failed(valid(read, at), &registry.Failure{Reason: v1alpha1.ReasonRegistryUnavailable}), true},
		{"other words", read, []string{"linux/amd64"}, status.Good("all is well"), false},
		{"another digest", "sha256:b", []string{"linux/amd64"}, good(read, nil, nil), false},
		{"a longer digest", read, []string{"linux/amd64"}, good(read+"b", nil, nil), false},
		{"no platform", read, nil, good(read, nil, nil), false},
	} {
		i := image(1)
		i.Status.CheckedAt, i.Status.Digest, i.Status.Platforms = &at, c.digest, c.platforms
		status.Set(i, v1alpha1.ConditionValid, c.verdict, moment)
		s := &schedule{period: 10 * time.Minute, clock: clocktesting.NewFakePassiveClock(moment)}
		if got, _ := s.wait(i, true); (got > 0) != c.own {
			t.Errorf("%s: it waits %s", c.name, got)
		}
		s = &schedule{period: s.period, clock: s.clock}
		if got, _ := s.wait(i, false); got > 0 {
			t.Errorf("%s, and without a mark: it waits %s", c.name, got)
		}
		if s.mine(i, false); isValid(i) {
			t.Errorf("%s, and without a mark: it is valid", c.name)
		}
	}
}

// valid is an image that was read.
func valid(digest string, at metav1.Time) *v1alpha1.SandboxImage {
	i := image(1)
	i.Status.CheckedAt, i.Status.Digest = &at, digest
	status.Set(i, v1alpha1.ConditionValid, good(digest, nil, nil), moment)
	return i
}
