package soak_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/operatortest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// killing kills the operator at random points while things change, and compares
// everything after every tenth time and in the end.
func (s *soak) killing(t *testing.T) {
	t.Helper()
	began, changes := time.Now(), 0
	var after []time.Duration
	for n := 0; n < *kills; n += 10 {
		stop := s.changing(t)
		for range min(10, *kills-n) {
			s.murder(t)
		}
		changes += stop()
		after = append(after, s.right(t, fmt.Sprintf("after %d kills", min(n+10, *kills))))
	}
	s.settle(t)
	if s.led == 0 {
		t.Error("no kill met an operator that led")
	}
	s.say(t, "%d kills, %d of them while it led and the others before, in %s with %d changes: everything was as it should be after each round of ten, within %s, and then nothing was written.",
		*kills, s.led, time.Since(began).Round(time.Second), changes, longest(after))
}

// murder ends the operator at some moment between its start and its full work, and
// starts it again.
func (s *soak) murder(t *testing.T) {
	t.Helper()
	time.Sleep(time.Duration(s.model.below(3000)) * time.Millisecond)
	if s.holder(t) != "" {
		s.led++
	}
	s.kill(t)
	s.run(t)
	if s.model.below(4) > 0 { // else it may die before it leads
		s.until(t, "the operator leads again", func() error {
			if s.holder(t) == "" {
				return errors.New("nobody leads")
			}
			return s.operator.ready(t.Context())
		})
	}
}

// release does what fifteen seconds do: the lease of who was killed is free.
func (s *soak) release(t *testing.T) {
	t.Helper()
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: operatortest.System, Name: "kora-operator"}}
	err := s.Cluster.Client().CoordinationV1().RESTClient().Patch(types.MergePatchType).Namespace(lease.Namespace).Resource("leases").Name(lease.Name).
		Body([]byte(`{"spec":{"holderIdentity":""}}`)).Do(t.Context()).Error()
	if client.IgnoreNotFound(err) != nil {
		t.Fatal(err)
	}
}

func (s *soak) holder(t *testing.T) string {
	t.Helper()
	lease, err := s.Cluster.Client().CoordinationV1().Leases(operatortest.System).Get(t.Context(), "kora-operator", metav1.GetOptions{})
	if err != nil || lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// standby: of two operators one leads, and when it is killed the other does, with
// the time that a lease takes.
func (s *soak) standby(t *testing.T) {
	t.Helper()
	first := s.holder(t)
	second := s.program.start(t, s.config, s.proxy.kubeconfig, operatortest.Address(t, 9443, 8081, 8082))
	s.until(t, "the second operator is ready", func() error { return second.ready(t.Context()) })
	if s.holder(t) != first {
		t.Error("the second operator leads while the first is there")
	}
	s.down = true
	s.operator.kill()
	stop := s.changing(t) // the webhooks' address is dead: only what they do not see is taken
	took := s.until(t, "the second operator leads", func() error {
		if now := s.holder(t); now == first || now == "" {
			return fmt.Errorf("%s leads", now)
		}
		return nil
	})
	s.run(t)
	s.until(t, "a new second is ready", func() error { return s.operator.ready(t.Context()) })
	stop()
	s.say(t, "Leader killed: the standby led %s later, and everything was as it should be after another %s.", took.Round(time.Second), s.right(t, "the standby leads").Round(time.Second))
	second.kill()
	s.release(t)
}

// restart takes the API server away while things change.
func (s *soak) restart(t *testing.T) {
	t.Helper()
	stop := s.changing(t)
	time.Sleep(time.Second)
	began := time.Now()
	if err := s.Cluster.RestartAPIServer(s.Cluster.Context(t), func() { time.Sleep(time.Second) }); err != nil {
		t.Fatal(err)
	}
	away := time.Since(began)
	time.Sleep(2 * time.Second)
	changes := stop()
	took := s.right(t, "after the API server came back")
	s.until(t, "the operator is ready", func() error { return s.operator.ready(t.Context()) })
	s.settle(t)
	s.say(t, "API server killed and away for %s, %d changes around it: everything was as it should be %s after it came back.", away.Round(100*time.Millisecond), changes, took.Round(100*time.Millisecond))
}

// writers harm everything that the operator keeps, all at once and again and
// again, and then let go.
func (s *soak) writers(t *testing.T) {
	t.Helper()
	s.proxy.take()
	const rounds = 5
	n := 0
	for range rounds {
		for _, tenant := range s.model.names()[:min(10, len(s.model.names()))] {
			for _, h := range harms(tenant) {
				if err := patiently(t.Context(), func() error { return s.do(t.Context(), h) }); err != nil {
					t.Fatal(err)
				}
				n++
			}
		}
	}
	took := s.right(t, "after conflicting writers")
	s.settle(t)
	s.say(t, "%d harmful writes to what the operator keeps: all undone %s after the last, by %d writes of the operator.", n, took.Round(100*time.Millisecond), s.proxy.take().writes().sum(""))
}

// hooksOut: while the operator is down nothing that it would refuse is taken; with
// no endpoint for two minutes its webhooks are passed by, and then closed again.
func (s *soak) hooksOut(t *testing.T) {
	t.Helper()
	s.kill(t)
	bad := image("default", "open", false)
	if err := s.Admin.Create(t.Context(), bad); err == nil {
		t.Error("with its webhooks down something invalid was taken")
	}
	s.run(t)
	took := s.until(t, "the webhooks refuse again", func() error {
		return errors.Join(s.operator.ready(t.Context()), s.Refused(t))
	})
	s.say(t, "Webhooks down: what they would refuse was not taken, and %s after the start they answered again.", took.Round(100*time.Millisecond))
	if *outage {
		s.passedBy(t)
	}
	s.right(t, "after the webhooks were down")
}

func (s *soak) passedBy(t *testing.T) {
	t.Helper()
	is := func(want string) func() error {
		return func() error {
			if got, _ := s.Entries(t); got != want {
				return fmt.Errorf("failurePolicy is %s", got)
			}
			return nil
		}
	}
	s.Endpoint(t, false)
	open := s.until(t, "failurePolicy is Ignore", is("Ignore Ignore"))
	s.Said(t, "WebhooksIgnored")
	s.Endpoint(t, true)
	closed := s.until(t, "failurePolicy is Fail", is("Fail Fail"))
	s.say(t, "Service without an endpoint: failurePolicy Ignore after %s, with an event, and Fail %s after it had one again.", open.Round(time.Second), closed.Round(time.Second))
}

// leave deletes every tenant: nothing of theirs is left.
func (s *soak) leave(t *testing.T) {
	t.Helper()
	names := s.model.names()
	for _, name := range names[1:] {
		if err := s.depart(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	s.say(t, "%d tenants deleted one after the other: nothing of them was left %s after the last.", len(names)-len(s.model.names()), s.right(t, "after tenants were deleted").Round(time.Second))
}

func longest(all []time.Duration) time.Duration {
	var most time.Duration
	for _, d := range all {
		most = max(most, d)
	}
	return most.Round(100 * time.Millisecond)
}
