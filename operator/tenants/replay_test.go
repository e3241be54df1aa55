package tenants_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/tenants"
	"github.com/runkora/kora/operator/tenants/proof"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
)

// R50: who deletes the Secret of an authority ends all trust in it, and no older object
// brings it back, whole and with its mark: not the Secret on the one that is there now,
// nor in its place, nor the ConfigMap beside a Secret of somebody's.
func TestAnEndedAuthorityIsNotPutBack(t *testing.T) {
	w := operatortest.New(t, nil)
	start := func() *operatortest.Run { return w.Start(t, tenants.New(w.Settings, clock.RealClock{})) }
	run := start()
	tenant(t, w, "replayed", nil)
	ready(t, w, "replayed")
	leaked, secret, open := stored(t, w, "replayed")
	_, data := selfMade(t, "replayed")
	gone := func() {
		t.Helper()
		if err := w.Admin.Delete(t.Context(), named(&corev1.Secret{}, v1alpha1.TenantNamespace("replayed"), v1alpha1.TenantCA)); err != nil {
			t.Fatal(err)
		}
	}
	ended := func(how string) {
		t.Helper()
		turn(t, w, "replayed")
		isThere(t, w, "replayed")
		becomes(t, w, "replayed", func(now authority.State) error {
			if contains(now.Trusted(), leaked.Current.Certificate) {
				return fmt.Errorf("%s: what leaked is trusted", how)
			}
			return nil
		})
		ready(t, w, "replayed")
	}
	gone()
	ended("it is gone")
	for how, replay := range map[string]func(*corev1.Secret, *corev1.ConfigMap) error{
		"on the one that is there": func(s *corev1.Secret, _ *corev1.ConfigMap) error {
			s.Data, s.Annotations = secret.Data, secret.Annotations
			return w.Admin.Update(t.Context(), s)
		},
		"in its place": func(*corev1.Secret, *corev1.ConfigMap) error {
			gone()
			s := secret.DeepCopy()
			s.ObjectMeta = metav1.ObjectMeta{Namespace: s.Namespace, Name: s.Name, Labels: s.Labels, Annotations: s.Annotations}
			return w.Admin.Create(t.Context(), s)
		},
		"the ConfigMap": func(s *corev1.Secret, o *corev1.ConfigMap) error {
			s.Data, o.Data, o.Annotations = data, open.Data, open.Annotations
			return errors.Join(w.Admin.Update(t.Context(), o), w.Admin.Update(t.Context(), s))
		},
		"all of it": func(s *corev1.Secret, o *corev1.ConfigMap) error {
			s.Data, s.Annotations, o.Data, o.Annotations = secret.Data, secret.Annotations, open.Data, open.Annotations
			return errors.Join(w.Admin.Update(t.Context(), o), w.Admin.Update(t.Context(), s))
		},
	} {
		if err := run.Stop(); err != nil { // no operator looks while it is put back
			t.Fatal(err)
		}
		_, s, o := stored(t, w, "replayed")
		if err := replay(s, o); err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		run = start()
		ended(how)
	}
	steady(t, w, func() { turn(t, w, "replayed") })
}

// R50: an operator that ends as soon as it has made the Secret finds it again as its own.
func TestAnAuthorityThatWasJustMadeIsKept(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	tenant(t, w, "halfway", nil)
	ready(t, w, "halfway")
	settle(t, w)
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	was, secret, open := stored(t, w, "halfway")
	marks := secret.Annotations
	secret.Annotations = map[string]string{v1alpha1.AnnotationMark: madeMark(t, w, was, "halfway")}
	if err := errors.Join(w.Admin.Update(t.Context(), secret), w.Admin.Delete(t.Context(), open)); err != nil {
		t.Fatal(err)
	}
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	isThere(t, w, "halfway")
	becomes(t, w, "halfway", func(now authority.State) error {
		_, again, _ := stored(t, w, "halfway")
		if !now.Current.Certificate.Equal(was.Current.Certificate) {
			t.Fatal("it is another one")
		}
		if fmt.Sprint(again.Annotations) != fmt.Sprint(marks) {
			return errors.New("it has not got its own mark")
		}
		return nil
	})
	ready(t, w, "halfway")
}

// isThere waits for both objects of an authority.
func isThere(t *testing.T, w *operatortest.World, name string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		return errors.Join(w.Admin.Get(t.Context(), keyOf(name), &corev1.Secret{}), w.Admin.Get(t.Context(), keyOf(name), &corev1.ConfigMap{}))
	})
}

// madeMark is the mark with which an operator makes a Secret.
func madeMark(t *testing.T, w *operatortest.World, s authority.State, name string) string {
	t.Helper()
	home := get(t, w, &corev1.Namespace{}, "", v1alpha1.TenantNamespace(name))
	return proof.In(markKey(t, w), home, "authority", "", string(s.Current.PEM()), "", "")
}

func markKey(t *testing.T, w *operatortest.World) []byte {
	t.Helper()
	key, err := proof.Key(t.Context(), w.Admin, operatortest.System)
	if err != nil {
		t.Fatal(err)
	}
	return key
}
