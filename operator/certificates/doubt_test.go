package certificates

import (
	"errors"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/client-go/tools/events"
	clocktesting "k8s.io/utils/clock/testing"
)

// R54: what keeps failurePolicy from what it should be is told once it stays, once for
// each cause, whether there is no proof or it cannot be written; and only what is written
// is told as enforced.
func TestADoubtThatStaysIsTold(t *testing.T) {
	clock := clocktesting.NewFakePassiveClock(time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC))
	heard := events.NewFakeRecorder(100)
	s := Settings{Namespace: "kora-system", Clock: clock}.defaulted()
	p := &policy{Settings: s, gauges: newGauges(s), tell: teller{heard, s.reference()}, want: admissionv1.Ignore}
	refused, other, unwritten := errors.New("every object must have the label team"), errors.New("exceeded quota"), errors.New("write failurePolicy: forbidden")
	for n, c := range []struct {
		after               time.Duration
		unproven, unwritten error
		want                admissionv1.FailurePolicyType
		proved              bool
		says                string // "": nothing
		enforced            bool
	}{
		{0, refused, nil, admissionv1.Ignore, false, "", false},
		{time.Minute, refused, nil, admissionv1.Ignore, false, "", false},
		{time.Minute, refused, nil, admissionv1.Ignore, false, "Warning WebhooksUnproven failurePolicy is not as it should be for 2m0s, and until it is Fail objects may be taken unchecked and pods of agents start without their sidecars: every object must have the label team; where", false},
		{time.Hour, refused, nil, admissionv1.Ignore, false, "", false},
		{time.Second, other, nil, admissionv1.Ignore, false, "exceeded quota", false},
		{time.Second, refused, nil, admissionv1.Ignore, false, "", false}, // not yet again
		{2 * time.Minute, refused, nil, admissionv1.Ignore, false, "label team", false},
		{time.Second, nil, unwritten, admissionv1.Fail, true, "", false},
		{2 * time.Minute, nil, unwritten, admissionv1.Fail, true, "write failurePolicy: forbidden", false},
		{time.Second, nil, nil, admissionv1.Fail, true, "Normal WebhooksEnforced", true},
		{time.Hour, nil, nil, admissionv1.Fail, false, "", true},
		{time.Hour, nil, unwritten, admissionv1.Fail, false, "", false}, // a conflict of writers
		{-24 * time.Hour, nil, unwritten, admissionv1.Fail, false, "", false},
		{2 * time.Minute, nil, unwritten, admissionv1.Fail, false, "forbidden", false},
	} {
		clock.SetTime(clock.Now().Add(c.after))
		p.want, p.proved = c.want, c.proved
		if err := p.settle(c.unproven, c.unwritten); (err == nil) != (c.unproven == nil && c.unwritten == nil) {
			t.Errorf("%d: %v", n, err)
		}
		said := ""
		for len(heard.Events) > 0 {
			said += <-heard.Events
		}
		if (said == "") != (c.says == "") || !strings.Contains(said, c.says) || p.gauges.enforces != c.enforced {
			t.Errorf("%d: %q, enforced %v", n, said, p.gauges.enforces)
		}
	}
}
