package tenants_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	"github.com/runkora/kora/operator/tenants/proof"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: an operator of before gave the authority no marks. It is taken up as far as it
// was published, and marked; what does not agree with that is not.
func TestAnAuthorityWithoutMarksIsTakenUpOnce(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	names := []string{"older", "planted", "disagrees"}
	for _, name := range names {
		tenant(t, w, name, nil)
		ready(t, w, name)
	}
	settle(t, w)
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	evil, data := selfMade(t, "older")
	was := map[string]authority.State{}
	for _, name := range names {
		s, secret, open := stored(t, w, name)
		was[name] = s
		secret.Annotations, open.Annotations = nil, nil
		switch name {
		case "planted":
			s.Previous = append(s.Previous, evil.Current.Certificate)
			secret.Data = dataOf(t, s)
		case "disagrees":
			secret.Data = data
		}
		for _, o := range []client.Object{secret, open} {
			if err := w.Admin.Update(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
		patch(t, w, named(&corev1.Namespace{}, "", v1alpha1.TenantNamespace(name)), `{"metadata":{"annotations":{"`+v1alpha1.AnnotationAuthorityMarked+`":null}}}`)
	}
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	for _, name := range names {
		turn(t, w, name)
		becomes(t, w, name, func(now authority.State) error {
			if same := now.Current.Certificate.Equal(was[name].Current.Certificate); same != (name != "disagrees") || contains(now.Trusted(), evil.Current.Certificate) {
				return fmt.Errorf("%s: signs as before: %t; %d are trusted", name, same, len(now.Trusted()))
			}
			if get(t, w, &corev1.Namespace{}, "", v1alpha1.TenantNamespace(name)).Annotations[v1alpha1.AnnotationAuthorityMarked] == "" {
				return fmt.Errorf("%s: the namespace does not tell that there are marks", name)
			}
			return nil
		})
		ready(t, w, name)
	}
	_, secret, open := stored(t, w, "older") // from now on nothing without a mark is
	secret.Data, secret.Annotations, open.Data["ca.crt"], open.Annotations = data, nil, string(evil.Bundle()), nil
	for _, o := range []client.Object{open, secret} {
		if err := w.Admin.Update(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	turn(t, w, "older")
	becomes(t, w, "older", func(now authority.State) error {
		if contains(now.Trusted(), evil.Current.Certificate) {
			return errors.New("it is trusted")
		}
		return nil
	})
}

// R50: when the key of marks is lost, the next operator has another, and no trust ends.
func TestALostKeyEndsNoTrust(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	tenant(t, w, "keyless", nil)
	ready(t, w, "keyless")
	settle(t, w)
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	was, secret, _ := stored(t, w, "keyless")
	if err := w.Admin.Delete(t.Context(), named(&corev1.Secret{}, operatortest.System, proof.KeySecret)); err != nil {
		t.Fatal(err)
	}
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	becomes(t, w, "keyless", func(now authority.State) error {
		_, again, _ := stored(t, w, "keyless")
		if !bytes.Equal(now.Bundle(), was.Bundle()) {
			t.Fatal("it is another one")
		}
		if again.Annotations[v1alpha1.AnnotationMark] == secret.Annotations[v1alpha1.AnnotationMark] {
			return errors.New("the mark is of the key that is gone")
		}
		return nil
	})
	ready(t, w, "keyless")
}
