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
	"k8s.io/client-go/tools/events"
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

// R50: one that can never become what it should be is replaced in one pass, also when
// finalizers of somebody's hold it: before its deletion, in it, and unseen by a cache. They
// are taken off it, and told of; another object of the name keeps its own.
func TestAHeldObjectThatIsFixedIsReplaced(t *testing.T) {
	p := begin(t, "fixed-held")
	told := events.NewFakeRecorder(16)
	p.keeper.Events = told
	thing := p.configMap(map[string]string{"a": "1"})
	p.keep(t, thing)
	many := `"example.com/a","example.com/b","example.com/c","kubernetes"`
	for _, c := range []struct {
		name, finalizers string
		deleted          bool
		want, faster     string // faster: where the cluster's collector takes its own off first, and nobody need be told
	}{
		{"held", `"example.com/held"`, false, "DELETE PATCH PATCH", ""},
		{"on its way", `"example.com/held"`, true, "PATCH PATCH", ""},
		{"by many", many, true, "PATCH PATCH", ""},
		{"by the collector's", `"foregroundDeletion"`, false, "DELETE PATCH PATCH", "DELETE PATCH"},
	} {
		live := &corev1.ConfigMap{ObjectMeta: p.named("kept")}
		p.patch(t, live, `{"data":{"a":"2"},"immutable":true,"metadata":{"finalizers":[`+c.finalizers+`]}}`)
		if c.deleted {
			if err := p.Admin.Delete(t.Context(), live); err != nil {
				t.Fatal(err)
			}
		}
		got := p.keep(t, thing)
		if got != c.want && got != c.faster {
			t.Errorf("%s: wrote %q, want %q", c.name, got, c.want)
		}
		now := &corev1.ConfigMap{}
		if p.get(t, now, "kept"); now.UID == live.UID || now.Data["a"] != "1" || now.Immutable != nil || len(now.Finalizers) > 0 {
			t.Errorf("%s: it is %+v", c.name, now)
		}
		select {
		case event := <-told.Events:
			first, _, _ := strings.Cut(c.finalizers, ",")
			if !strings.Contains(event, first) || !strings.Contains(event, "kept is the operator's") || strings.Contains(event, "example.com/c") {
				t.Errorf("%s: told %q", c.name, event)
			}
		default:
			if got == c.want {
				t.Errorf("%s: nobody is told", c.name)
			}
		}
	}

	foreign := &rbacv1.RoleBinding{ObjectMeta: p.named("kora-egress-tenant"), RoleRef: role("view")}
	if err := p.Admin.Create(t.Context(), foreign); err != nil {
		t.Fatal(err)
	}
	seen := foreign.DeepCopy() // as a cache shows it, which lags
	p.patch(t, foreign, `{"metadata":{"finalizers":["example.com/held"]}}`)
	if err := p.keeper.Clear(t.Context(), seen); err != nil {
		t.Error(err)
	}
	if err := p.Admin.Get(t.Context(), client.ObjectKeyFromObject(foreign), foreign); !apierrors.IsNotFound(err) {
		t.Errorf("one whose finalizer the cache does not show is there: %v", err)
	}
	next := &rbacv1.RoleBinding{ObjectMeta: p.named("kora-egress-tenant"), RoleRef: role("view")}
	next.Finalizers = []string{"example.com/held"}
	if err := p.Admin.Create(t.Context(), next); err != nil {
		t.Fatal(err)
	}
	now := metav1.Now()
	seen.DeletionTimestamp = &now
	if err := p.keeper.Clear(t.Context(), seen); err != nil {
		t.Error(err)
	}
	if p.get(t, next, "kora-egress-tenant"); next.DeletionTimestamp != nil || len(next.Finalizers) != 1 {
		t.Errorf("another of the name: %+v", next.ObjectMeta)
	}
	p.patch(t, next, `{"metadata":{"finalizers":null}}`)
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
