package tenants

import (
	"strings"
	"testing"

	"github.com/runkora/kora/operator/api/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// R50: what somebody writes on an object hides it from no plan, and what the operator or
// a controller makes again is in none. The UID 1 is of something that the plan has seen.
func TestNoWordHidesALoss(t *testing.T) {
	operators := map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator}
	bundled := map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelBundled: "kora-base"}
	by := func(kind string) metav1.ObjectMeta {
		yes := true
		return metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: kind, Name: "a", UID: "1", Controller: &yes}}}
	}
	nobodys := func(kind string) metav1.ObjectMeta {
		meta := by(kind)
		meta.OwnerReferences[0].APIVersion, meta.OwnerReferences[0].UID = "nobody.example.com/v1", "2"
		return meta
	}
	for _, c := range []struct {
		kind, name string
		meta       metav1.ObjectMeta
		counts     bool
	}{
		{"PersistentVolumeClaim", "w", metav1.ObjectMeta{Labels: operators}, true},
		{"PersistentVolumeClaim", "d-web-0", by("StatefulSet"), true},
		{"PersistentVolumeClaim", "w", metav1.ObjectMeta{Annotations: map[string]string{corev1.ServiceAccountNameKey: "default"}}, true},
		{"StatefulSet", "agent-coder", metav1.ObjectMeta{Labels: operators}, true},
		{"Deployment", "tool", by("StatefulSet"), true},
		{"Connection", "github", by("SandboxImage"), true},
		{"Connection", "kube-root-ca.crt", metav1.ObjectMeta{Labels: operators}, true},
		{"Secret", "mine", metav1.ObjectMeta{Labels: operators}, true},
		{"Secret", "mine", by("Job"), true},
		{"ConfigMap", "notes", metav1.ObjectMeta{Labels: operators}, true},
		{"SandboxImage", "mine", metav1.ObjectMeta{Labels: operators}, true},
		{"Pod", "sandbox-1", metav1.ObjectMeta{Labels: operators}, true},
		{"DaemonSet", "warm", by("Deployment"), true},
		{"DaemonSet", "warm", nobodys("SandboxImage"), true},
		{"ReplicaSet", "tool-1", nobodys("Deployment"), true},
		{"ReplicationController", "rc", by("Deployment"), true},
		{"Job", "nightly-1", nobodys("CronJob"), true},
		{"Pod", "agent-coder-0", nobodys("StatefulSet"), true},
		{"Secret", "mine", metav1.ObjectMeta{Annotations: map[string]string{corev1.ServiceAccountNameKey: "default"}}, true},
		{"SandboxImage", "kora-mine", metav1.ObjectMeta{Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.Operator, v1alpha1.LabelBundled: "kora-mine"}}, true},
		{"SandboxImage", "kora-go", metav1.ObjectMeta{Labels: bundled}, true},

		{"Secret", v1alpha1.TenantCA, metav1.ObjectMeta{Labels: operators}, false},
		{"Secret", "pull", metav1.ObjectMeta{Labels: operators, Annotations: map[string]string{v1alpha1.AnnotationPullSecret: "kora-system.pull"}}, false},
		{"ConfigMap", v1alpha1.TenantCA, metav1.ObjectMeta{Labels: operators}, false},
		{"ConfigMap", "kube-root-ca.crt", metav1.ObjectMeta{}, false},
		{"SandboxImage", "kora-base", metav1.ObjectMeta{Labels: bundled}, false},
		{"DaemonSet", "warm", by("SandboxImage"), false},
		{"ReplicaSet", "tool-1", by("Deployment"), false},
		{"Job", "nightly-1", by("CronJob"), false},
		{"Pod", "agent-coder-0", by("StatefulSet"), false},
		{"Pod", "rc-1", by("ReplicationController"), false},
	} {
		o := &metav1.PartialObjectMetadata{ObjectMeta: c.meta}
		p := Plan{seen: map[string]bool{}}
		for _, makers := range makers {
			for _, kind := range makers {
				p.seen[kind+"/1"] = true
			}
		}
		if o.Name = c.name; p.counts(c.kind, o) != c.counts {
			t.Errorf("%s %s %+v: counts is %v", c.kind, c.name, c.meta, !c.counts)
		}
	}
}

// R50: a name of any length and with any character says nothing but itself.
func TestNamesOfStrangersAreToldSafely(t *testing.T) {
	for name, want := range map[string]string{
		"team-admins": "team-admins", "a\x1b[31mRED": `"a\x1b[31mRED"`, "a\nb": `"a\nb"`,
		"none). To repair, run: x (": `"none). To repair, run: x ("`, "\u202egnp": `"\u202egnp"`, "": `""`,
		strings.Repeat("é", 99): `"` + strings.Repeat(`\u00e9`, 31) + `\u2026"`,
	} {
		if is := told(name); is != want {
			t.Errorf("%q: %s, want %s", name, is, want)
		}
	}
}

// R50: a RoleBinding is kora's own by what it binds, whatever it is called.
func TestABindingIsKnownByWhatItBinds(t *testing.T) {
	p := &pass{Reconciler: &Reconciler{}, tenant: &v1alpha1.KoraTenant{}} // and no namespace of its own yet
	p.settings.SystemNamespace = "kora-system"
	own := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "kora-agents-tenant"}, RoleRef: roleRef("kora-agents-tenant"), Subjects: p.subjects("kora-agents")}
	if !p.isOwn(own) {
		t.Error("kora's own is a stranger's")
	}
	forged := own.DeepCopy()
	forged.Subjects = []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: "eve"}}
	admin := own.DeepCopy()
	admin.RoleRef.Name = "admin"
	for _, o := range []*rbacv1.RoleBinding{forged, admin} {
		if p.isOwn(o) {
			t.Errorf("%+v is kora's own", o)
		}
	}
}

// R50: what makes others is read before them, or the plan would tell of both.
func TestMakersAreReadFirst(t *testing.T) {
	place := map[string]int{"Pod": len(lost())}
	for i, kind := range lost() {
		place[kind.Kind] = i
	}
	for made, by := range makers {
		for _, maker := range by {
			at, is := place[maker]
			if is && at >= place[made] || !is || !makes(maker) {
				t.Errorf("%s is read at %d, and %s, which it makes, at %d", maker, at, made, place[made])
			}
		}
	}
}
