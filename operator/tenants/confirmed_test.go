package tenants_test

import (
	"errors"
	"testing"
	"time"

	"github.com/runkora/kora/operator/agents"
	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: a deletion that somebody confirmed and nobody made is confirmed no more after a
// while: what lives in the tenant by then, nobody has read of.
func TestAConfirmationDoesNotLast(t *testing.T) {
	r := renew(t, "unsure")
	o := &v1alpha1.KoraTenant{ObjectMeta: metaNamed("unsure")}
	word := func() string {
		return get(t, r.world, &v1alpha1.KoraTenant{}, "", "unsure").Annotations[v1alpha1.AnnotationConfirmDeletion]
	}
	confirm := func(as string) { r.world.Annotate(t, o, v1alpha1.AnnotationConfirmDeletion, as) }
	later := func(d time.Duration) {
		settle(t, r.world) // so that the operator has seen what came before
		r.clock.SetTime(r.clock.Now().Add(d))
		turn(t, r.world, "unsure")
		settle(t, r.world)
	}
	taken := func() {
		operatortest.Eventually(t, func() error {
			if word() != "" {
				return errors.New("it is confirmed still")
			}
			return nil
		})
	}
	confirm("unsure.00")
	later(14 * time.Minute)
	if word() == "" {
		t.Error("there was no time to delete it")
	}
	later(2 * time.Minute)
	taken()
	confirm("unsure.01") // and each one has its own time
	later(14 * time.Minute)
	confirm("unsure.02")
	later(14 * time.Minute)
	if word() == "" {
		t.Error("the second one counts from the first")
	}
	later(2 * time.Minute)
	taken()
}

// R50: by a clock that goes back a confirmation lasts no longer: it counts anew from there.
func TestAConfirmationEndsByAClockThatGoesBack(t *testing.T) {
	r := renew(t, "turned-back")
	o := &v1alpha1.KoraTenant{ObjectMeta: metaNamed("turned-back")}
	r.world.Annotate(t, o, v1alpha1.AnnotationConfirmDeletion, "turned-back.00")
	for _, by := range []time.Duration{-10 * 24 * time.Hour, 14 * time.Minute, 2 * time.Minute} {
		settle(t, r.world) // so that the operator has seen what came before
		if get(t, r.world, &v1alpha1.KoraTenant{}, "", "turned-back").Annotations[v1alpha1.AnnotationConfirmDeletion] == "" {
			t.Fatalf("before %s there was no time to delete it", by)
		}
		r.clock.SetTime(r.clock.Now().Add(by))
		turn(t, r.world, "turned-back")
	}
	operatortest.Eventually(t, func() error {
		if get(t, r.world, &v1alpha1.KoraTenant{}, "", "turned-back").Annotations[v1alpha1.AnnotationConfirmDeletion] != "" {
			return errors.New("it is confirmed still")
		}
		return nil
	})
}

// R50: a confirmation is of what somebody has read: whatever comes, is made anew or
// becomes of it otherwise since, the deletion waits for another, and says so. What goes
// and comes all the time, such as a run, is no part of it.
func TestAConfirmationIsOfOnePlan(t *testing.T) {
	w := world(t)
	o := tenant(t, w, "reread", func(o *v1alpha1.KoraTenant) { o.Spec.DeletionPolicy = v1alpha1.DeletionDelete })
	ready(t, w, "reread")
	const at = "kora-tenant-reread"
	confirmation := func() string {
		plan, err := tenants.PlanOf(t.Context(), w.Admin, "reread")
		if err != nil {
			t.Fatal(err)
		}
		return plan.Confirmation(get(t, w, &v1alpha1.KoraTenant{}, "", "reread"))
	}
	secret := func(name string) *corev1.Secret { return named(&corev1.Secret{}, at, name) }
	put := func(o client.Object) {
		t.Helper()
		if err := w.Admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(o client.Object) {
		t.Helper()
		if err := w.Admin.Delete(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	policy := func(p string) { patch(t, w, o, `{"spec":{"deletionPolicy":"`+p+`"}}`) }
	run := named(&corev1.Pod{Spec: ofPod().Spec}, at, "sandbox-coder-1")
	run.Labels = map[string]string{agents.LabelComponent: agents.ComponentSandbox}
	for _, step := range []struct {
		what   string
		do     func()
		stands bool
	}{
		{"another object", func() { put(secret("a")) }, false},
		{"a value is rotated", func() { patch(t, w, secret("a"), `{"stringData":{"key":"planted"}}`) }, true},
		{"one is made anew", func() { remove(secret("a")); put(secret("a")) }, false},
		{"another of another kind", func() { put(named(&corev1.ConfigMap{}, at, "a")) }, false},
		{"a run begins", func() { put(run) }, true},
		{"one is gone", func() { remove(named(&corev1.ConfigMap{}, at, "a")) }, false},
		{"it would stay", func() { policy("Retain") }, false},
		{"it would go", func() { policy("Delete") }, false},
	} {
		before := confirmation()
		if step.do(); (confirmation() == before) != step.stands {
			t.Errorf("%s: %s, then %s", step.what, before, confirmation())
		}
	}
	w.Annotate(t, o, v1alpha1.AnnotationConfirmDeletion, confirmation())
	put(secret("late"))
	remove(o)
	says(t, w, "reread", v1alpha1.ConditionReady, "False", v1alpha1.ReasonDeleting, "2 Secrets (a, late)", "changed since", "confirm-deletion="+confirmation())
	settle(t, w)
	if home := get(t, w, &corev1.Namespace{}, "", at); home.DeletionTimestamp != nil {
		t.Fatal("what nobody has read of is gone")
	}
	w.Confirm(t, "reread")
	missing(t, w, o)
}
