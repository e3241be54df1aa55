package tenants_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/operatortest"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// editor is somebody who may do anything with ConfigMaps in some namespaces, and nothing else.
func editor(t *testing.T, w *operatortest.World, namespaces ...string) client.Client {
	t.Helper()
	for _, namespace := range namespaces {
		meta := metav1.ObjectMeta{Namespace: namespace, Name: "editor"}
		role := &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"*"}}}}
		binding := &rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "editor"},
			Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: "eve"}}}
		for _, o := range []client.Object{role, binding} {
			if err := w.Admin.Create(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	config := w.Cluster.Config()
	config.Impersonate = rest.ImpersonationConfig{UserName: "eve", Groups: []string{"system:authenticated"}}
	eve, err := client.New(config, client.Options{Scheme: w.Admin.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	return eve
}

// R50: what pods of a tenant trust by its name is the operator's to write: whoever may write
// every ConfigMap of the namespace neither changes it nor puts one in its place, for a moment
// either. Who may change KoraTenants may, and a namespace of nobody's is nobody's business.
func TestNobodyWritesWhatPodsTrust(t *testing.T) {
	w := world(t)
	tenant(t, w, "trusting", nil)
	ready(t, w, "trusting")
	settle(t, w)
	const home, elsewhere = "kora-tenant-trusting", "trusting-elsewhere"
	if err := w.Admin.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: elsewhere}}); err != nil {
		t.Fatal(err)
	}
	eve := editor(t, w, home, elsewhere)
	refused := func(doing string, err error) error {
		if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "is the operator's, and pods trust what is in it: only who may change KoraTenants may write it") || !strings.Contains(err.Error(), home) {
			return fmt.Errorf("%s: %v", doing, err)
		}
		return nil
	}
	config := func(namespace, name string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Data: map[string]string{"a": "b"}}
	}
	merge := func(text string) client.Patch {
		return client.RawPatch("application/merge-patch+json", []byte(text))
	}
	operatortest.Eventually(t, func() error { // until the API server knows the policy, and eve's rights
		if err := eve.Create(t.Context(), config(elsewhere, "first")); client.IgnoreAlreadyExists(err) != nil {
			return err
		}
		return refused("a first change", eve.Patch(t.Context(), config(home, "kora-opa"), merge(`{"metadata":{"labels":{"own":"yes"}}}`)))
	})
	for _, name := range []string{"kora-opa", "kora-tenant-ca"} {
		was := get(t, w, &corev1.ConfigMap{}, home, name)
		for doing, change := range map[string]string{
			"its data": `{"data":{"tenant.rego":"package kora.tenant\ndefault allow := true","ca.crt":"evil"}}`, "fixed": `{"immutable":true}`,
			"held": `{"metadata":{"finalizers":["eve.example.com/hold"]}}`, "without labels": `{"metadata":{"labels":null}}`,
		} {
			if err := refused(name+" "+doing, eve.Patch(t.Context(), was.DeepCopy(), merge(change))); err != nil {
				t.Error(err)
			}
		}
		if now := get(t, w, &corev1.ConfigMap{}, home, name); now.ResourceVersion != was.ResourceVersion {
			t.Errorf("%s was changed: %+v", name, now)
		}
		if err := eve.Delete(t.Context(), was.DeepCopy()); err != nil { // it is made anew
			t.Error(err)
		}
		if err := refused("another "+name, eve.Create(t.Context(), config(home, name))); err != nil {
			t.Error(err)
		}
		turn(t, w, "trusting")
		operatortest.Eventually(t, func() error {
			now := &corev1.ConfigMap{}
			if err := w.Admin.Get(t.Context(), client.ObjectKey{Namespace: home, Name: name}, now); err != nil {
				return err
			}
			if len(now.Data) != len(was.Data) || now.UID == was.UID {
				return fmt.Errorf("%s is %+v", name, now)
			}
			return nil
		})
		if err := eve.Create(t.Context(), config(elsewhere, name)); err != nil {
			t.Errorf("elsewhere: %v", err)
		}
		if err := w.Admin.Patch(t.Context(), config(home, name), merge(`{"metadata":{"labels":{"own":"yes"}}}`)); err != nil {
			t.Errorf("an administrator: %v", err)
		}
	}
	if err := eve.Create(t.Context(), config(home, "own")); err != nil {
		t.Errorf("one of her own: %v", err)
	}
	ready(t, w, "trusting")
}
