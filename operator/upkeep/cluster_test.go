package upkeep_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// R50: one that is missing is made, one that is right is not written, one that
// differs is put right in one write, and what others added in two; labels and
// finalizers of others stay.
func TestAnObjectIsKept(t *testing.T) {
	p := begin(t, "kept")
	thing := p.configMap(map[string]string{"a": "1"})
	live := &corev1.ConfigMap{ObjectMeta: p.named("kept")}
	for _, c := range []struct{ name, change, want string }{
		{"missing", "", "PATCH"},
		{"right", "", ""},
		{"another value", `{"data":{"a":"2"}}`, "PATCH"},
		{"its label is gone", `{"metadata":{"labels":null}}`, "PATCH"},
		{"a label more", `{"metadata":{"labels":{"own":"yes"},"annotations":{"own":"yes"},"finalizers":["example.com/held"]}}`, ""},
		{"a key more", `{"data":{"b":"2"}}`, "PATCH PUT"},
		{"bytes more", `{"binaryData":{"c":"AAE="}}`, "PATCH PUT"},
		{"right again", "", ""},
	} {
		if c.change != "" {
			p.patch(t, live, c.change)
		}
		if got := p.keep(t, thing); got != c.want {
			t.Errorf("%s: wrote %q, want %q", c.name, got, c.want)
		}
		p.get(t, live, "kept")
		if len(live.Data) != 1 || live.Data["a"] != "1" || len(live.BinaryData) != 0 || live.Labels[v1alpha1.LabelManagedBy] != v1alpha1.Operator {
			t.Errorf("%s: it is %+v", c.name, live)
		}
	}
	if live.Labels["own"] != "yes" || live.Annotations["own"] != "yes" || !slices.Contains(live.Finalizers, "example.com/held") {
		t.Errorf("what others own is lost: %+v", live.ObjectMeta)
	}
	owners := 0
	for _, f := range live.ManagedFields {
		if f.Manager == v1alpha1.Operator && f.Operation == metav1.ManagedFieldsOperationApply {
			owners++
		}
	}
	if owners != 1 {
		t.Errorf("%d owners apply it", owners)
	}

	// While it goes, held by somebody's finalizer, it is put right as ever, since it is in
	// force; when it has gone, it is made anew.
	if err := p.Admin.Delete(t.Context(), live); err != nil {
		t.Fatal(err)
	}
	p.patch(t, live, `{"data":{"a":"gone"}}`)
	if got := p.keep(t, thing); got != "PATCH" {
		t.Errorf("while it goes: wrote %q", got)
	}
	if p.get(t, live, "kept"); live.Data["a"] != "1" || live.DeletionTimestamp == nil {
		t.Errorf("while it goes: it is %+v", live)
	}
	p.patch(t, live, `{"data":{"a":"2"},"immutable":true}`)
	if err := p.keeper.Keep(t.Context(), thing); err == nil || !strings.Contains(err.Error(), `held by the finalizers ["example.com/held"]`) {
		t.Errorf("nobody is told what holds it: %v", err)
	}
	p.patch(t, live, `{"metadata":{"finalizers":null}}`)
	if got := p.keep(t, thing); got != "PATCH" {
		t.Errorf("when it has gone: wrote %q", got)
	}
}

// R50: one that can never become what it should be is replaced, with the
// operator's label or without it, where the cache does not show it.
func TestAFixedObjectIsReplaced(t *testing.T) {
	p := begin(t, "fixed")
	p.keep(t, p.configMap(map[string]string{"a": "1"}))
	held := &corev1.ConfigMap{ObjectMeta: p.named("kept")}
	p.patch(t, held, `{"data":{"a":"2"},"immutable":true}`)
	if got := p.keep(t, p.configMap(map[string]string{"a": "1"})); got != "DELETE PATCH" {
		t.Errorf("an immutable one: wrote %q", got)
	}

	for _, seen := range []bool{true, false} {
		foreign := &rbacv1.RoleBinding{ObjectMeta: p.named("kora-egress-tenant"), RoleRef: role("view")}
		if err := p.Admin.Create(t.Context(), foreign); err != nil {
			t.Fatal(err)
		}
		keeper := p.keeper
		if !seen {
			keeper.Client = blind{keeper.Client}
		}
		p.Requests.Reset()
		if err := keeper.Keep(t.Context(), p.binding()); err != nil {
			t.Fatal(err)
		}
		if got := p.written(); got != "DELETE PATCH" {
			t.Errorf("another role, seen %v: wrote %q", seen, got)
		}
		now := &rbacv1.RoleBinding{}
		p.get(t, now, "kora-egress-tenant")
		if now.RoleRef.Name != "kora-egress-tenant" || now.UID == foreign.UID {
			t.Errorf("seen %v: it is %+v", seen, now)
		}
		if err := p.Admin.Delete(t.Context(), now); err != nil {
			t.Fatal(err)
		}
	}
}

// blind is a cache that shows nothing.
type blind struct{ client.Client }

func (blind) Get(_ context.Context, key client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	return apierrors.NewNotFound(rbacv1.Resource("rolebindings"), key.Name)
}

// R50: what the API server refuses is an error, and nothing is deleted for it.
func TestARefusalDeletesNothing(t *testing.T) {
	p := begin(t, "refused")
	wrong := p.binding()
	wrong.Want.(*rbacv1.RoleBinding).Subjects[0].Kind = "Nobody"
	if err := p.keeper.Keep(t.Context(), wrong); !apierrors.IsInvalid(err) {
		t.Errorf("got %v", err)
	}
	if got := p.written(); got != "" {
		t.Errorf("wrote %q", got)
	}
}

// R50: where others may add, what they added stays.
func TestWhatMayBeAddedStays(t *testing.T) {
	p := begin(t, "added")
	thing := p.configMap(map[string]string{"a": "1"})
	thing.Added = true
	p.keep(t, thing)
	live := &corev1.ConfigMap{ObjectMeta: p.named("kept")}
	p.patch(t, live, `{"data":{"b":"2","a":"2"}}`)
	if got := p.keep(t, thing); got != "PATCH" {
		t.Errorf("wrote %q", got)
	}
	if p.get(t, live, "kept"); live.Data["a"] != "1" || live.Data["b"] != "2" {
		t.Errorf("it is %v", live.Data)
	}
}

// R50: only what was read is removed: one of the same name that was made since is
// another's, and one that has gone is no fault.
func TestOnlyWhatWasReadIsRemoved(t *testing.T) {
	p := begin(t, "removed")
	p.keep(t, p.configMap(map[string]string{"a": "1"}))
	read := &corev1.ConfigMap{}
	p.get(t, read, "kept")
	if err := p.Admin.Delete(t.Context(), read.DeepCopy()); err != nil {
		t.Fatal(err)
	}
	if err := p.keeper.Remove(t.Context(), read); err != nil {
		t.Errorf("one that has gone: %v", err)
	}
	if err := p.Admin.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: p.named("kept")}); err != nil {
		t.Fatal(err)
	}
	if err := p.keeper.Remove(t.Context(), read); !apierrors.IsConflict(err) {
		t.Errorf("another of its name: %v", err)
	}
	now := &corev1.ConfigMap{}
	p.get(t, now, "kept")
	p.patch(t, now, `{"metadata":{"finalizers":["example.com/held"]}}`)
	for range 2 { // the second finds it on its way
		p.get(t, now, "kept")
		if err := p.keeper.Remove(t.Context(), now); err != nil {
			t.Error(err)
		}
	}
	p.patch(t, now, `{"metadata":{"finalizers":null}}`)
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(now), now); !apierrors.IsNotFound(err) {
		t.Errorf("it is there: %v", err)
	}
}
