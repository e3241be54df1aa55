package tenants_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	"github.com/runkora/kora/operator/operatortest"
	"github.com/runkora/kora/operator/rules"
	"github.com/runkora/kora/operator/tenants"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func home(name string) *corev1.Namespace {
	return &corev1.Namespace{ObjectMeta: metaNamed(v1alpha1.TenantNamespace(name))}
}

// admins gives somebody all of a namespace.
func admins(t *testing.T, w *operatortest.World, namespace string) *rbacv1.RoleBinding {
	t.Helper()
	o := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "mallory"},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "admin"},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Name: "mallory", Namespace: "default"}}}
	if err := w.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return o
}

// same gives nil when the operator's labels and annotations are as they were.
func same(t *testing.T, w *operatortest.World, was *corev1.Namespace) error {
	t.Helper()
	now := get(t, w, &corev1.Namespace{}, "", was.Name)
	if !maps.Equal(now.Labels, was.Labels) || !maps.Equal(now.Annotations, was.Annotations) {
		return fmt.Errorf("it is %v %v", now.Labels, now.Annotations)
	}
	return nil
}

// claim is a workspace's.
func claim(t *testing.T, w *operatortest.World, namespace string) {
	t.Helper()
	o := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "workspace-agent-coder-0"}, Spec: corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}}}}
	if err := w.Admin.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
}

// R50: whatever somebody writes on a namespace, it is not taken over: not with all that
// the operator writes on its own, copied from another tenant's or from one of the same
// name that has gone. Nothing is put into it, and whoever has rights there is told of.
func TestForgedNamespaceIsNotTakenOver(t *testing.T) {
	w := world(t)
	real := tenant(t, w, "real", nil)
	ready(t, w, "real")
	copied := get(t, w, &corev1.Namespace{}, "", "kora-tenant-real").Annotations[v1alpha1.AnnotationMark]
	if err := w.Admin.Delete(t.Context(), real); err != nil {
		t.Fatal(err)
	}
	missing(t, w, real)
	for name, annotations := range map[string]map[string]string{
		"constant": {v1alpha1.AnnotationTenantUID: "retained"},
		"mark":     {v1alpha1.AnnotationTenantUID: "retained", v1alpha1.AnnotationMark: copied},
		"later":    {},
	} {
		t.Run(name, func(t *testing.T) {
			forged := home(name)
			forged.Labels = map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelTenant: name}
			forged.Annotations = annotations
			if err := w.Admin.Create(t.Context(), forged); err != nil {
				t.Fatal(err)
			}
			admins(t, w, forged.Name)
			o := tenant(t, w, name, nil)
			patch(t, w, home(name), `{"metadata":{"annotations":{"runkora.io/tenant-uid":"`+string(o.UID)+`"}}}`) // which is no secret
			says(t, w, name, v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonConflict, "RoleBindings mallory", "kubectl annotate")
			turn(t, w, name)
			settle(t, w)
			says(t, w, name, v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonConflict)
			secrets := &corev1.SecretList{}
			if err := w.Admin.List(t.Context(), secrets, client.InNamespace(forged.Name)); err != nil || len(secrets.Items) > 0 {
				t.Errorf("in it: %v %v", secrets.Items, err)
			}
			now := get(t, w, &v1alpha1.KoraTenant{}, "", name)
			if rules.HomeOf(get(t, w, &corev1.Namespace{}, "", forged.Name), now) {
				t.Error("others take it for the tenant's")
			}
			if err := w.Admin.Delete(t.Context(), now); err != nil {
				t.Fatal(err)
			}
			missing(t, w, now)
			get(t, w, &rbacv1.RoleBinding{}, forged.Name, "mallory") // nothing of it goes with the tenant
		})
	}
	// One of the same name that somebody else makes is not the one that was left behind.
	left := home("real")
	if err := w.Admin.Delete(t.Context(), left); err != nil {
		t.Fatal(err)
	}
	missing(t, w, left)
	again := home("real")
	again.Annotations = map[string]string{v1alpha1.AnnotationTenantUID: "retained", v1alpha1.AnnotationMark: copied}
	if err := w.Admin.Create(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	tenant(t, w, "real", nil)
	says(t, w, "real", v1alpha1.ConditionNamespaceReady, "False", v1alpha1.ReasonConflict)
}

// R50: whoever takes what the operator wrote from a namespace finds it put right, and
// the tenant as it was: nothing of what protects it hangs on an annotation there.
func TestStrippedNamespaceIsPutRight(t *testing.T) {
	w := world(t)
	o := tenant(t, w, "stripped", func(o *v1alpha1.KoraTenant) { o.Spec.DeletionPolicy = v1alpha1.DeletionDelete })
	ready(t, w, "stripped")
	was := get(t, w, &corev1.Namespace{}, "", "kora-tenant-stripped")
	for _, change := range []string{
		`{"metadata":{"annotations":{"runkora.io/tenant-uid":null}}}`,
		`{"metadata":{"annotations":{"runkora.io/tenant-uid":"of-another","runkora.io/made-by":"v1:00"}}}`,
		`{"metadata":{"annotations":null,"labels":null}}`,
	} {
		patch(t, w, home("stripped"), change)
		if !tenants.Owns(get(t, w, &v1alpha1.KoraTenant{}, "", "stripped"), get(t, w, &corev1.Namespace{}, "", was.Name)) {
			t.Errorf("%s: a deletion would not be asked about", change)
		}
		operatortest.Eventually(t, func() error { return same(t, w, was) })
	}
	ready(t, w, "stripped")
	claim(t, w, was.Name)
	if err := w.Admin.Delete(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	says(t, w, "stripped", v1alpha1.ConditionReady, "False", v1alpha1.ReasonDeleting, "PersistentVolumeClaim")
	patch(t, w, home("stripped"), `{"metadata":{"annotations":null}}`)
	operatortest.Eventually(t, func() error { return same(t, w, was) })
	get(t, w, &v1alpha1.KoraTenant{}, "", "stripped")
}

// R50: what an operator of before made, without a mark, is known by the tenant's status.
func TestNamespacesOfBeforeGetTheirMark(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	tenant(t, w, "before", nil)
	ready(t, w, "before")
	was := get(t, w, &corev1.Namespace{}, "", "kora-tenant-before")
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	patch(t, w, home("before"), `{"metadata":{"annotations":{"runkora.io/made-by":null}}}`)
	patch(t, w, &v1alpha1.KoraTenant{ObjectMeta: metaNamed("before")}, `{"metadata":{"annotations":{"runkora.io/namespace-uid":null}}}`)
	if !rules.HomeOf(get(t, w, &corev1.Namespace{}, "", was.Name), get(t, w, &v1alpha1.KoraTenant{}, "", "before")) {
		t.Error("until then, others do not take it for the tenant's")
	}
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	operatortest.Eventually(t, func() error { return same(t, w, was) })
	operatortest.Eventually(t, func() error {
		if got := get(t, w, &v1alpha1.KoraTenant{}, "", "before").Annotations[v1alpha1.AnnotationNamespaceUID]; got != string(was.UID) {
			return fmt.Errorf("the KoraTenant names %q", got)
		}
		return nil
	})
	ready(t, w, "before")
}

// R50: the mark alone is proof enough for the KoraTenant that the namespace was made
// for, which may have been written anew without what the operator recorded.
func TestTheMarkIsProofEnough(t *testing.T) {
	w := operatortest.New(t, nil)
	run := w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	o := tenant(t, w, "crashed", nil)
	ready(t, w, "crashed")
	made := get(t, w, &corev1.Namespace{}, "", "kora-tenant-crashed")
	if err := run.Stop(); err != nil {
		t.Fatal(err)
	}
	forgotten := get(t, w, &v1alpha1.KoraTenant{}, "", "crashed")
	forgotten.Status.Namespace = ""
	if err := w.Admin.Status().Update(t.Context(), forgotten); err != nil {
		t.Fatal(err)
	}
	patch(t, w, o, `{"metadata":{"annotations":{"runkora.io/namespace-uid":null}}}`)
	w.Start(t, tenants.New(w.Settings, clock.RealClock{}))
	operatortest.Eventually(t, func() error {
		now := get(t, w, &v1alpha1.KoraTenant{}, "", "crashed")
		if now.Status.Namespace != made.Name || now.Annotations[v1alpha1.AnnotationNamespaceUID] != string(made.UID) {
			return fmt.Errorf("the KoraTenant names %v, its status %q", now.Annotations, now.Status.Namespace)
		}
		return nil
	})
	ready(t, w, "crashed")
}
