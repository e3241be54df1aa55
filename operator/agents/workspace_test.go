package agents_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/runkora/kora/operator/agents"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// R7: by default one 10Gi ReadWriteOnce volume of the cluster's default class.
func TestWorkspaceDefaultsR7(t *testing.T) {
	want := corev1.PersistentVolumeClaimSpec{
		AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
		Resources: corev1.VolumeResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")},
		},
	}
	if diff := cmp.Diff(want, agents.Build(plain()).Claim.Spec); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// R7: the StatefulSet makes its claims from the claim, also from a patched one;
// names and kora's labels stay kora's, and building again changes nothing.
func TestClaimTemplateIsTheClaimAsPatchedR7(t *testing.T) {
	s := plain()
	patched := agents.Build(s).Claim
	patched.Name, patched.Namespace = "mine", "elsewhere"
	patched.Labels["backup"], patched.Labels[agents.LabelAgentSlug] = "nightly", "forged"
	patched.Annotations = map[string]string{"note": "patched"}
	patched.Finalizers = []string{"example.com/keep"}
	patched.Spec.Resources.Requests[corev1.ResourceStorage] = resource.MustParse("50Gi")
	s.Workspace.Claim = patched
	o := agents.Build(s)
	if o.Claim.Name != "workspace-agent-coder-0" || o.Claim.Namespace != s.Namespace || o.Claim.Labels[agents.LabelAgentSlug] != "coder" {
		t.Errorf("the claim's identity is %+v", o.Claim.ObjectMeta)
	}
	if len(o.StatefulSet.Spec.VolumeClaimTemplates) != 1 {
		t.Fatalf("%d claim templates", len(o.StatefulSet.Spec.VolumeClaimTemplates))
	}
	template := o.StatefulSet.Spec.VolumeClaimTemplates[0]
	want := *o.Claim.DeepCopy()
	want.Name, want.Namespace, want.Finalizers = "workspace", "", nil
	if diff := cmp.Diff(want, template); diff != "" {
		t.Errorf("-claim +template:\n%s", diff)
	}
	s.Workspace.Claim = o.Claim
	if diff := cmp.Diff(o, agents.Build(s)); diff != "" {
		t.Errorf("building from its own claim: -first +second:\n%s", diff)
	}
}

// R8: a sandbox waits for its session-manager's node exactly where the workspace
// cannot be on two nodes, and beside the settings' own terms.
func TestSandboxIsPinnedUnlessWorkspaceIsSharedR8(t *testing.T) {
	readWriteMany := agents.Build(full())
	if agents.Pinned(readWriteMany.Sandbox, "coder") {
		t.Error("ReadWriteMany: pinned")
	}
	pinned := agents.Build(variants()["pinned"]).Sandbox
	if !agents.Pinned(pinned, "coder") || agents.Pinned(pinned, "other") {
		t.Errorf("ReadWriteOnce: %+v", pinned.Spec.Affinity)
	}
	want := []corev1.PodAffinityTerm{cacheTerm(), agents.PinTerm("coder")}
	if diff := cmp.Diff(want, pinned.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !agents.Pinned(agents.Build(plain()).Sandbox, "coder") {
		t.Error("defaults: not pinned")
	}
}

// R8: what counts is the claim as patched, not the settings below it.
func TestPinFollowsThePatchedClaimR8(t *testing.T) {
	shared, own := full(), plain()
	shared.Workspace.Claim, own.Workspace.Claim = agents.Build(plain()).Claim, agents.Build(full()).Claim
	if !agents.Pinned(agents.Build(shared).Sandbox, "coder") {
		t.Error("patched to ReadWriteOnce: not pinned")
	}
	if agents.Pinned(agents.Build(own).Sandbox, "coder") {
		t.Error("patched to ReadWriteMany: pinned")
	}
}

// R8: only a required term pins, and only the term itself.
func TestPinnedWantsTheExactTermR8(t *testing.T) {
	preferred := agents.Build(full()).Sandbox
	preferred.Spec.Affinity.PodAffinity = &corev1.PodAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 100, PodAffinityTerm: agents.PinTerm("coder")}},
	}
	zone := agents.Build(plain()).Sandbox
	zone.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].TopologyKey = "topology.kubernetes.io/zone"
	elsewhere := agents.Build(plain()).Sandbox
	elsewhere.Spec.Affinity.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].Namespaces = []string{"kora-tenant-b"}
	for name, pod := range map[string]*corev1.Pod{"preferred": preferred, "zone": zone, "elsewhere": elsewhere, "empty": {}, "nil": nil} {
		if agents.Pinned(pod, "coder") {
			t.Errorf("%s: pinned", name)
		}
	}
}

// R8, R9: only ReadWriteMany is shared.
func TestSharedIsReadWriteManyR9(t *testing.T) {
	for _, mode := range []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce, corev1.ReadOnlyMany, corev1.ReadWriteOncePod} {
		if agents.Shared([]corev1.PersistentVolumeAccessMode{mode}) {
			t.Errorf("%s is shared", mode)
		}
	}
	if agents.Shared(nil) || !agents.Shared([]corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce, corev1.ReadWriteMany}) {
		t.Error("the list is not searched")
	}
}
