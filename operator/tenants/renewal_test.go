package tenants_test

import (
	"context"
	"crypto/x509"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// renewing is a tenant whose operator lives in another time.
type renewing struct {
	*testing.T
	world *operatortest.World
	clock *clocktesting.FakePassiveClock
	name  string
	turns int
}

func renew(t *testing.T, name string) *renewing {
	w := operatortest.New(t, nil)
	r := &renewing{t, w, clocktesting.NewFakePassiveClock(time.Now()), name, 0}
	w.Start(t, tenants.New(w.Settings, r.clock))
	tenant(t, w, name, nil)
	ready(t, w, name)
	return r
}

// after lets time pass and has the tenant looked at, until the state in the
// Secret is published and is as it should be.
func (r *renewing) after(d time.Duration, what string, is func(authority.State) bool) authority.State {
	r.Helper()
	r.clock.SetTime(r.clock.Now().Add(d))
	r.turns++
	patch(r.T, r.world, &v1alpha1.KoraTenant{ObjectMeta: metaNamed(r.name)}, fmt.Sprintf(`{"metadata":{"annotations":{"example.com/turn":"%d"}}}`, r.turns))
	var state authority.State
	operatortest.Eventually(r.T, func() (err error) {
		secret, open := &corev1.Secret{}, &corev1.ConfigMap{}
		key := client.ObjectKey{Namespace: v1alpha1.TenantNamespace(r.name), Name: v1alpha1.TenantCA}
		if err := r.world.Admin.Get(r.Context(), key, secret); err != nil {
			return err
		}
		if err := r.world.Admin.Get(r.Context(), key, open); err != nil {
			return err
		}
		if state, err = authority.Parse(secret.Data); err != nil {
			return err
		}
		if !is(state) || open.Data["ca.crt"] != string(state.Bundle()) {
			return fmt.Errorf("not so: %s; %d are trusted, %d published", what, len(state.Trusted()), strings.Count(open.Data["ca.crt"], "BEGIN"))
		}
		return nil
	})
	return state
}

// R50: the authority is renewed at two thirds of its life. The next one is
// published before it signs, and the one before stays trusted until it ends.
func TestAuthorityIsRenewedWithoutAGap(t *testing.T) {
	const day = 24 * time.Hour
	r := renew(t, "renewed")
	alone := func(s authority.State) bool { return len(s.Trusted()) == 1 }
	first := r.after(0, "one is made", alone).Current.Certificate
	r.after(242*day, "nothing changes before two thirds", alone)
	both := r.after(2*day, "the next is trusted and does not sign yet", func(s authority.State) bool {
		return s.Next != nil && s.Current.Certificate.Equal(first)
	})
	r.after(2*day, "the next signs, and the first is trusted", func(s authority.State) bool {
		return s.Current.Certificate.Equal(both.Next.Certificate) && s.Next == nil && contains(s.Previous, first)
	})
	last := r.after(120*day, "the first is not trusted after its end", func(s authority.State) bool {
		return alone(s) && s.Current.Certificate.Equal(both.Next.Certificate)
	})
	got := ready(t, r.world, r.name)
	if !got.Status.CANotAfter.Time.Equal(last.Current.Certificate.NotAfter) {
		t.Errorf("caNotAfter is %s", got.Status.CANotAfter)
	}
}

// R50: a clock that jumps over the whole life finds a new authority; one that jumps back
// finds one that is valid, and what lies in the future stays trusted. Ahead and back, once
// or several times: the first signs again, and CAReady is True of what is valid alone.
func TestAuthorityBearsClockJumps(t *testing.T) {
	const day = 24 * time.Hour
	r := renew(t, "jumped")
	signs := func(is func(authority.State) bool) func(authority.State) bool {
		return func(s authority.State) bool { return r.valid(s.Current.Certificate) && is(s) }
	}
	first := r.after(0, "one is made", func(authority.State) bool { return true }).Current.Certificate
	again := signs(func(s authority.State) bool { return s.Current.Certificate.Equal(first) })
	other := signs(func(s authority.State) bool { return !s.Current.Certificate.Equal(first) })
	for _, jump := range []struct {
		by   time.Duration
		what string
		is   func(authority.State) bool
	}{
		{21 * day, "the first signs", again},
		{-21 * day, "the first signs still", again},
		{366 * day, "one that has ended does not sign", other},
		{-366 * day, "the first is valid again, and signs", again},
		{700 * day, "another one does", other},
		{-700 * day, "the first does", again},
		{-1000 * time.Hour, "one that lies in the future does not sign, and is trusted", signs(func(s authority.State) bool {
			return !s.Current.Certificate.Equal(first) && contains(s.Trusted(), first)
		})},
		{1000 * time.Hour, "what is valid stays trusted", signs(func(s authority.State) bool { return contains(s.Trusted(), first) })},
		{100000 * time.Hour, "none that has ended signs", other},
	} {
		state := r.after(jump.by, jump.what, jump.is)
		r.told(state, jump.what)
		settle(t, r.world)
	}
}

func (r *renewing) valid(c *x509.Certificate) bool {
	now := r.clock.Now()
	return !now.Before(c.NotBefore) && now.Before(c.NotAfter)
}

// told waits until the tenant is ready, its status tells of the authority that signs, and
// the gateway's intermediate is valid and one of what is trusted.
func (r *renewing) told(state authority.State, what string) {
	r.Helper()
	operatortest.Eventually(r.T, func() error {
		got := ready(r.T, r.world, r.name)
		if !got.Status.CANotAfter.Time.Equal(state.Current.Certificate.NotAfter) {
			return fmt.Errorf("%s: caNotAfter is %s", what, got.Status.CANotAfter)
		}
		data := get(r.T, r.world, &corev1.Secret{}, v1alpha1.TenantNamespace(r.name), v1alpha1.EgressCA).Data
		d, err := authority.ParseDeputy(data)
		if err != nil {
			return err
		}
		if c := d.Current.Certificate; !r.valid(c) || !state.Signed(c) || !state.Published(data) {
			return fmt.Errorf("%s: the intermediate is valid from %s to %s", what, c.NotBefore, c.NotAfter)
		}
		return nil
	})
}

// R50: an authority that cannot be read is made anew; one that is not the
// operator's is left alone.
func TestSpoiledAuthorityIsMadeAnew(t *testing.T) {
	w := world(t)
	tenant(t, w, "spoiled", nil)
	ready(t, w, "spoiled")
	secret := get(t, w, &corev1.Secret{}, "kora-tenant-spoiled", v1alpha1.TenantCA)
	patch(t, w, secret, `{"data":{"tls.key":"anVuaw=="}}`)
	patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metaNamed("spoiled")}, `{"metadata":{"annotations":{"example.com/turn":"1"}}}`)
	operatortest.Eventually(t, func() error {
		_, err := authority.Parse(get(t, w, &corev1.Secret{}, "kora-tenant-spoiled", v1alpha1.TenantCA).Data)
		return err
	})
	patch(t, w, secret, `{"data":{"tls.key":"anVuaw=="},"immutable":true}`) // which nobody can change again
	turn(t, w, "spoiled")
	operatortest.Eventually(t, func() error { // for a moment there is none
		now := &corev1.Secret{}
		if err := w.Admin.Get(t.Context(), client.ObjectKeyFromObject(secret), now); err != nil {
			return err
		}
		if now.Immutable != nil {
			return fmt.Errorf("it is the same still: %s", now.UID)
		}
		_, err := authority.Parse(now.Data)
		return err
	})
	patch(t, w, secret, `{"metadata":{"labels":{"app.kubernetes.io/managed-by":"somebody"}},"data":{"tls.key":"anVuaw=="}}`)
	patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metaNamed("spoiled")}, `{"metadata":{"annotations":{"example.com/turn":"2"}}}`)
	says(t, w, "spoiled", v1alpha1.ConditionCAReady, "False", v1alpha1.ReasonConflict, "left alone")
	if err := w.Admin.Delete(context.Background(), secret); err != nil {
		t.Fatal(err)
	}
	patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metaNamed("spoiled")}, `{"metadata":{"annotations":{"example.com/turn":"3"}}}`)
	ready(t, w, "spoiled")
}

func contains(all []*x509.Certificate, one *x509.Certificate) bool {
	for _, c := range all {
		if c.Equal(one) {
			return true
		}
	}
	return false
}
