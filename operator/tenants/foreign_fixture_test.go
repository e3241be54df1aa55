package tenants_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/authority"
	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// selfMade is an authority of somebody's, well-formed and of the tenant's name.
func selfMade(t *testing.T, name string) (authority.State, map[string][]byte) {
	t.Helper()
	s, _, err := authority.Default("kora tenant "+name).Step(authority.State{}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return s, dataOf(t, s)
}

func dataOf(t *testing.T, s authority.State) map[string][]byte {
	t.Helper()
	data, err := s.Data()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// stored is the tenant's authority and its two objects.
func stored(t *testing.T, w *operatortest.World, name string) (authority.State, *corev1.Secret, *corev1.ConfigMap) {
	t.Helper()
	secret, open := get(t, w, &corev1.Secret{}, v1alpha1.TenantNamespace(name), v1alpha1.TenantCA), get(t, w, &corev1.ConfigMap{}, v1alpha1.TenantNamespace(name), v1alpha1.TenantCA)
	s, err := authority.Parse(secret.Data)
	if err != nil {
		t.Fatal(err)
	}
	return s, secret, open
}

// becomes waits until the stored authority is as it should be, published as it is, and
// the deputy is of it.
func becomes(t *testing.T, w *operatortest.World, name string, is func(authority.State) error) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		at := v1alpha1.TenantNamespace(name)
		secret, open := get(t, w, &corev1.Secret{}, at, v1alpha1.TenantCA), get(t, w, &corev1.ConfigMap{}, at, v1alpha1.TenantCA)
		s, err := authority.Parse(secret.Data)
		if err != nil {
			return err
		}
		if !bytes.Equal(secret.Data["ca.crt"], s.Bundle()) || open.Data["ca.crt"] != string(s.Bundle()) || secret.Annotations[v1alpha1.AnnotationMark] == "" || open.Annotations[v1alpha1.AnnotationMark] == "" {
			return fmt.Errorf("not published, or without a mark: %v %v", secret.Annotations, open.Annotations)
		}
		if d, err := authority.ParseDeputy(get(t, w, &corev1.Secret{}, secret.Namespace, v1alpha1.EgressCA).Data); err != nil || !s.Signed(d.Current.Certificate) {
			return fmt.Errorf("the deputy is another's: %v", err)
		}
		return is(s)
	})
}

// told waits for events about the authority's Secret.
func told(t *testing.T, w *operatortest.World, name string, texts ...string) {
	t.Helper()
	operatortest.Eventually(t, func() error {
		list := &eventsv1.EventList{}
		if err := w.Admin.List(t.Context(), list, client.InNamespace(v1alpha1.TenantNamespace(name))); err != nil {
			return err
		}
		all := ""
		for _, e := range list.Items {
			if e.Regarding.Name == v1alpha1.TenantCA {
				all += e.Reason + " " + e.Note + "\n"
			}
		}
		for _, text := range texts {
			if !strings.Contains(all, text) {
				return fmt.Errorf("no event has %q: %s", text, all)
			}
		}
		return nil
	})
}
