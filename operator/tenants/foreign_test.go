package tenants_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
)

// R50: an authority that somebody put in the place of the tenant's is never the
// tenant's, whatever else is forged with it: a new one signs, what the operator
// published stays trusted, what somebody else did does not, and an event tells.
func TestAForeignAuthorityIsNotTheTenants(t *testing.T) {
	w := operatortest.New(t, nil)
	start := func() *operatortest.Run { return w.Start(t, tenants.New(w.Settings, clock.RealClock{})) }
	run := start()
	for _, name := range []string{"usurped", "neighbour"} {
		tenant(t, w, name, nil)
		ready(t, w, name)
	}
	evil, data := selfMade(t, "usurped")
	next, _, err := authority.Default("kora tenant usurped").Step(authority.State{Next: evil.Current}, time.Now().Add(1000*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	_, theirs, _ := stored(t, w, "neighbour")
	bare := map[string]string{v1alpha1.AnnotationMark: ""}
	for name, forge := range map[string]func(authority.State, *corev1.Secret, *corev1.ConfigMap){
		"its data":    func(_ authority.State, s *corev1.Secret, _ *corev1.ConfigMap) { s.Data = data },
		"and no mark": func(_ authority.State, s *corev1.Secret, _ *corev1.ConfigMap) { s.Data, s.Annotations = data, nil },
		"another tenant's, with its mark": func(_ authority.State, s *corev1.Secret, _ *corev1.ConfigMap) {
			s.Data, s.Annotations = theirs.Data, theirs.Annotations
		},
		"published too": func(_ authority.State, s *corev1.Secret, o *corev1.ConfigMap) {
			s.Data, s.Annotations, o.Data["ca.crt"], o.Annotations = data, bare, string(evil.Bundle()), bare
		},
		"published beside": func(own authority.State, s *corev1.Secret, o *corev1.ConfigMap) {
			s.Data, o.Data["ca.crt"] = data, string(own.Bundle())+string(evil.Bundle())
		},
		"as the next": func(own authority.State, s *corev1.Secret, _ *corev1.ConfigMap) {
			own.Next = evil.Current
			s.Data = dataOf(t, own)
		},
		"as one before": func(own authority.State, s *corev1.Secret, _ *corev1.ConfigMap) {
			own.Previous = append(own.Previous, evil.Current.Certificate)
			s.Data = dataOf(t, own)
		},
		"as one aside": func(own authority.State, s *corev1.Secret, _ *corev1.ConfigMap) {
			own.Aside = append(own.Aside, evil.Current)
			s.Data = dataOf(t, own)
		},
		"as one that ended": func(own authority.State, s *corev1.Secret, _ *corev1.ConfigMap) {
			own.Ended = append(own.Ended, evil.Current)
			s.Data = dataOf(t, own)
		},
		"with one after it": func(_ authority.State, s *corev1.Secret, _ *corev1.ConfigMap) { s.Data = dataOf(t, next) },
		"what is no key":    func(_ authority.State, s *corev1.Secret, _ *corev1.ConfigMap) { s.Data["tls.key"] = []byte("junk") },
	} {
		was, secret, open := stored(t, w, "usurped")
		sound := open.DeepCopy()
		forge(was, secret, open)
		both := !maps.Equal(open.Data, sound.Data)
		if both { // while no operator looks, which would mend the one before the other is forged
			if err := run.Stop(); err != nil {
				t.Fatal(err)
			}
			if err := w.Admin.Update(t.Context(), open); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Admin.Update(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		if both {
			run = start()
		}
		kept := strings.HasPrefix(name, "as ")
		turn(t, w, "usurped")
		becomes(t, w, "usurped", func(now authority.State) error {
			all := now.Trusted()
			if contains(all, evil.Current.Certificate) || contains(all, next.Current.Certificate) || string(theirs.Data["tls.crt"]) == string(now.Current.PEM()) {
				return fmt.Errorf("%s: it is trusted", name)
			}
			if now.Current.Certificate.Equal(was.Current.Certificate) != kept {
				return fmt.Errorf("%s: the one that signs is the one of before: %t", name, !kept)
			}
			if left := contains(all, was.Current.Certificate); left == both {
				return fmt.Errorf("%s: what signed before is trusted: %t", name, left)
			}
			return nil
		})
		ready(t, w, "usurped")
	}
	told(t, w, "usurped", "not of kora's making", "cannot be read")
	steady(t, w, func() { turn(t, w, "usurped") })
}
