package registries

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// moody answers with one Secret, or with an error.
type moody struct {
	client.Reader
	says  error
	value string
	asked int
}

func (m *moody) Get(_ context.Context, name client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	if m.asked++; m.says != nil {
		return m.says
	}
	*o.(*corev1.Secret) = *secretOf(name.Namespace, map[string]string{"token": m.value})
	return nil
}

var (
	resourceSecrets = schema.GroupResource{Resource: "secrets"}
	failures        = map[string]error{
		"an API server that is away": errors.New("dial tcp: connection refused"),
		"etcd that is late":          apierrors.NewInternalError(errors.New("etcdserver: request timed out")),
		"too many requests":          apierrors.NewTooManyRequests("later", 1),
		"a timeout":                  apierrors.NewServerTimeout(resourceSecrets, "get", 1),
		"a right that is lost":       apierrors.NewForbidden(resourceSecrets, "s", errors.New("no")),
	}
	one = types.NamespacedName{Namespace: v1alpha1.TenantNamespace("t"), Name: "s"}
)

// course is what one Secret's reads come to, pass by pass.
type course struct {
	*testing.T
	reader    moody
	s         secrets
	now, full time.Time
	want      map[types.NamespacedName][]*need
}

func newCourse(t *testing.T) *course {
	c := &course{T: t, reader: moody{value: "x"}, now: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC),
		want: map[types.NamespacedName][]*need{one: {{field: "spec.secretRef", secret: "s", keys: []string{"token"}, of: 1}}}}
	c.s = secrets{reader: &c.reader, key: []byte("k"), period: time.Hour}
	c.full = c.now
	return c
}

// pass comes some time later, and is a full one when the period is over.
func (c *course) pass(later time.Duration) error {
	c.now = c.now.Add(later)
	if c.now.Sub(c.full) >= c.s.period {
		c.full = c.now
	}
	return c.s.refresh(c.Context(), c.want, c.now, c.full)
}

func (c *course) passes(later time.Duration) {
	c.Helper()
	if err := c.pass(later); err != nil {
		c.Fatal(err)
	}
}

// good reports whether the Secret serves, and its hash.
func (c *course) good() (bool, string) {
	f := c.s.known[one]
	return f.judge(c.want[one][0]) == nil, f.hash(c.s.key, c.want[one][0])
}

// R51: what is known of a Secret holds while the API server cannot be asked, good or
// bad, and what it says next counts at once.
func TestWhatIsKnownHoldsWhileNobodyCanBeAsked(t *testing.T) {
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			c := newCourse(t)
			c.passes(0)
			_, before := c.good()
			c.reader.says = failure
			c.passes(time.Hour)
			if good, hash := c.good(); !good || hash != before || c.s.unread != 1 {
				t.Fatalf("after a read that failed: good %v, %s, %d unread", good, hash, c.s.unread)
			}
			asked := c.reader.asked
			if c.passes(time.Second); c.reader.asked != asked {
				t.Error("it is asked again at once")
			}
			if c.passes(soon); c.reader.asked != asked+1 {
				t.Error("it is not asked again soon")
			}
			c.reader.says, c.reader.value = nil, "y"
			c.passes(2 * soon)
			if good, hash := c.good(); !good || hash == before || c.s.unread != 0 {
				t.Errorf("the next word: good %v, the same %v, %d unread", good, hash == before, c.s.unread)
			}
			c.reader.says = apierrors.NewNotFound(resourceSecrets, "s")
			c.passes(time.Hour)
			if good, _ := c.good(); good {
				t.Error("one that is gone is believed still")
			}
			c.reader.says = failure
			c.passes(time.Hour)
			if fault := c.s.known[one].judge(c.want[one][0]); fault == nil || fault.Reason != v1alpha1.ReasonReferenceNotFound {
				t.Errorf("one that was gone before: %+v", fault)
			}
		})
	}
}

// R51: after two periods in which nobody could be asked the status says since when, always
// the same, and the resource stays where it is.
func TestALongSilenceIsTold(t *testing.T) {
	c := newCourse(t)
	c.passes(0)
	c.reader.says = failures["etcd that is late"]
	for hours := range 5 {
		c.passes(time.Hour)
		if got, want := c.s.known[one].stale(c.s.period), ""; hours == 0 && got != want || hours > 0 && got != "2027-01-02T03:04:05Z" {
			t.Errorf("after %d hours: %q", hours+1, got)
		}
	}
	s, known := many(1)
	for name, r := range known.known {
		r.at, r.seen = c.now, c.now.Add(-3*time.Hour)
		known.known[name] = r
	}
	known.period = time.Hour
	s.judge(known)
	told := s.resources[kindConnection][0]
	if !told.verdict.True() || told.entry == nil || told.secretHash == "" || !strings.Contains(told.verdict.Message, `its Secret "s" could not be read since 2027-01-02T05:04:05Z`) {
		t.Errorf("%+v", told.finding)
	}
}

// R51: after a start nothing is judged before each Secret was answered, as what was in
// the registries would leave them; but not for ever, and a right that lacks is an answer.
func TestTheFirstPassWaitsForAnswers(t *testing.T) {
	for name, failure := range failures {
		t.Run(name, func(t *testing.T) {
			c := newCourse(t)
			c.reader.says = failure
			if err := c.pass(0); (err == nil) != apierrors.IsForbidden(failure) {
				t.Fatalf("the first pass: %v", err)
			}
			if !apierrors.IsForbidden(failure) {
				if err := c.pass(time.Millisecond); err == nil || !strings.Contains(err.Error(), "1 Secrets that tenants' resources name were not answered") {
					t.Fatalf("the second: %v", err)
				}
			}
			c.reader.says = nil
			c.passes(2 * soon)
			if good, _ := c.good(); !good {
				t.Error("what was answered does not count")
			}
		})
	}
	c := newCourse(t)
	c.reader.says = failures["etcd that is late"]
	tries := 1
	for c.pass(time.Second) != nil {
		if tries++; tries > firsts {
			t.Fatal("one Secret that is never answered holds up all for ever")
		}
	}
	if fault := c.s.known[one].judge(c.want[one][0]); tries != firsts || fault == nil || fault.Reason != v1alpha1.ReasonFailed {
		t.Errorf("after %d tries: %+v", tries, fault)
	}
}
