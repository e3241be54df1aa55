package injection_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/runkora/kora/operator/certificates/webhooktest"
	"github.com/runkora/kora/operator/operatortest"
)

// R14, R54: a claim that somebody made of another agent's workspace is none of an
// agent's pod, whatever it is called, and neither is one that could become such. Its own
// workspace's copy is, and what is no workspace's.
func TestCopiesOfWorkspacesAreRefused(t *testing.T) {
	h := webhooktest.New(t)
	h.Up(t)
	at := tenantOf(t, h, "copies")
	admin, err := client.New(h.Cluster.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	put := func(o client.Object) {
		t.Helper()
		if err := admin.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	put(&rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: at, Name: "operator"}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "kora-operator-tenant"},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: operatortest.System, Name: "kora-operator"}}})
	claim := func(name, kind, of string) {
		t.Helper()
		o := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: at, Name: name}, Spec: corev1.PersistentVolumeClaimSpec{
			AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
			Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("1Gi")}}}}
		if group := "snapshot.storage.k8s.io"; kind == "VolumeSnapshot" {
			o.Spec.DataSource = &corev1.TypedLocalObjectReference{APIGroup: &group, Kind: kind, Name: of}
		} else if kind != "" {
			o.Spec.DataSourceRef = &corev1.TypedObjectReference{Kind: kind, Name: of}
		}
		put(o)
	}
	claim("notes", "", "")
	claim("of-notes", "PersistentVolumeClaim", "notes")
	claim("of-mine", "PersistentVolumeClaim", "workspace-agent-coder-0")
	claim("of-anothers", "PersistentVolumeClaim", "workspace-agent-writer-0")
	claim("of-longer", "PersistentVolumeClaim", "workspace-agent-coder-two-0")
	claim("restored", "VolumeSnapshot", "any")
	for name, refused := range map[string]string{ // what is said of it; empty where it is taken
		"notes": "", "of-notes": "", "of-mine": "", "restored": "",
		"of-anothers": "is a copy of the workspace of another agent type (the claim's spec.dataSource says of which)",
		"of-longer":   "is a copy of the workspace of another agent type (the claim's spec.dataSource says of which)",
		"not-there":   "create the claim before the pod",
	} {
		mounted := func() *corev1.Pod {
			pod := built(at, "coder", "type-7").Sandbox
			pod.Name += "-" + name
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "more", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
			return pod
		}
		// RBAC follows a new RoleBinding some milliseconds later.
		operatortest.Eventually(t, func() error {
			err := admin.Create(t.Context(), mounted(), client.DryRunAll)
			if err != nil && strings.Contains(err.Error(), "could not check") {
				return err
			}
			return nil
		})
		err := admin.Create(t.Context(), mounted())
		switch {
		case refused == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case refused != "" && (err == nil || !strings.Contains(err.Error(), refused) || !strings.Contains(err.Error(), "persistentVolumeClaim.claimName")):
			t.Errorf("%s: %v", name, err)
		}
		if err := admin.Create(t.Context(), mounted(), client.DryRunAll); name == "not-there" && err != nil {
			t.Errorf("a dry run needs no claim: %v", err)
		}
	}
}
