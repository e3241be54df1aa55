package guard

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/runkora/kora/internal/faults"
	"github.com/runkora/kora/internal/fields"
)

// Violation is one thing that a patch may not do, by the field of the object.
type Violation struct {
	Code            faults.Code
	Path            fields.Path
	Message         string
	Found, Expected string
	Fix             string
}

// Check returns what the patches did to an object that they may not do,
// compared with the object as kora built it. Both are of one kind. It does
// not judge what only the last patch can settle; Restricted does.
func Check(built, patched runtime.Object) []Violation {
	c := &checker{}
	switch before := built.(type) {
	case *appsv1.StatefulSet:
		c.statefulSet(before, patched.(*appsv1.StatefulSet))
	case *corev1.Pod:
		c.sandbox(before, patched.(*corev1.Pod))
	case *corev1.Service:
		c.service(before, patched.(*corev1.Service))
	case *corev1.ServiceAccount:
		c.serviceAccount(before, patched.(*corev1.ServiceAccount))
	case *corev1.PersistentVolumeClaim:
		c.claim(before, patched.(*corev1.PersistentVolumeClaim))
	case *autoscalingv2.HorizontalPodAutoscaler:
		c.scaler(before, patched.(*autoscalingv2.HorizontalPodAutoscaler))
	case *policyv1.PodDisruptionBudget:
		c.budget(before, patched.(*policyv1.PodDisruptionBudget))
	}
	return c.found
}

func (c *checker) statefulSet(a, b *appsv1.StatefulSet) {
	c.object(a.TypeMeta, b.TypeMeta, a.ObjectMeta, b.ObjectMeta)
	c.same("spec.selector", a.Spec.Selector, b.Spec.Selector, whySelector)
	c.same("spec.serviceName", a.Spec.ServiceName, b.Spec.ServiceName, whyIdentity)
	c.same("spec.ordinals", a.Spec.Ordinals, b.Spec.Ordinals, "a patch may not rename the replicas: sandboxes find their workspaces by the names")
	c.claimTemplates(a, b)
	c.metadata("spec.template.metadata", a.Spec.Template.ObjectMeta, b.Spec.Template.ObjectMeta)
	c.networks("spec.template.metadata.annotations", a.Spec.Template.Annotations, b.Spec.Template.Annotations)
	c.pod("spec.template.spec", &a.Spec.Template.Spec, &b.Spec.Template.Spec)
	c.same("spec.template.spec.nodeName", a.Spec.Template.Spec.NodeName, b.Spec.Template.Spec.NodeName, WhyScheduler)
	c.same("status", a.Status, b.Status, whyCluster)
}

// claimTemplates: the claim is a patch target of its own, and what it holds
// is what the template holds (R7).
func (c *checker) claimTemplates(a, b *appsv1.StatefulSet) {
	if equality.Semantic.DeepEqual(a.Spec.VolumeClaimTemplates, b.Spec.VolumeClaimTemplates) {
		return
	}
	c.add(Violation{Code: faults.ClaimTemplates, Path: "spec.volumeClaimTemplates", Message: "the workspace's claim is a patch target of its own",
		Found: text(b.Spec.VolumeClaimTemplates), Expected: text(a.Spec.VolumeClaimTemplates), Fix: "patch the claim instead: target.kind PersistentVolumeClaim"})
}

func (c *checker) sandbox(a, b *corev1.Pod) {
	c.object(a.TypeMeta, b.TypeMeta, a.ObjectMeta, b.ObjectMeta)
	c.cloudIdentity("metadata.labels", a.Labels, b.Labels)
	c.cloudIdentity("metadata.annotations", a.Annotations, b.Annotations)
	c.networks("metadata.annotations", a.Annotations, b.Annotations)
	c.pod("spec", &a.Spec, &b.Spec)
	c.same("spec.restartPolicy", a.Spec.RestartPolicy, b.Spec.RestartPolicy, "a sandbox executes one run, once")
	c.same("status", a.Status, b.Status, whyCluster)
}

func (c *checker) service(a, b *corev1.Service) {
	c.object(a.TypeMeta, b.TypeMeta, a.ObjectMeta, b.ObjectMeta)
	c.same("spec.selector", a.Spec.Selector, b.Spec.Selector, whySelector)
	c.same("spec.type", a.Spec.Type, b.Spec.Type, whyHeadless)
	c.same("spec.clusterIP", a.Spec.ClusterIP, b.Spec.ClusterIP, whyHeadless)
	c.same("spec.clusterIPs", a.Spec.ClusterIPs, b.Spec.ClusterIPs, whyHeadless)
	c.same("spec.externalName", a.Spec.ExternalName, b.Spec.ExternalName, whyHeadless)
	c.same("spec.externalIPs", a.Spec.ExternalIPs, b.Spec.ExternalIPs, "external addresses would draw other traffic to the agent")
	c.same("status", a.Status, b.Status, whyCluster)
}

func (c *checker) serviceAccount(a, b *corev1.ServiceAccount) {
	c.object(a.TypeMeta, b.TypeMeta, a.ObjectMeta, b.ObjectMeta)
	c.same("automountServiceAccountToken", a.AutomountServiceAccountToken, b.AutomountServiceAccountToken, whyToken)
}

func (c *checker) scaler(a, b *autoscalingv2.HorizontalPodAutoscaler) {
	c.object(a.TypeMeta, b.TypeMeta, a.ObjectMeta, b.ObjectMeta)
	c.same("spec.scaleTargetRef", a.Spec.ScaleTargetRef, b.Spec.ScaleTargetRef, whyIdentity)
	c.same("status", a.Status, b.Status, whyCluster)
}

func (c *checker) budget(a, b *policyv1.PodDisruptionBudget) {
	c.object(a.TypeMeta, b.TypeMeta, a.ObjectMeta, b.ObjectMeta)
	c.same("spec.selector", a.Spec.Selector, b.Spec.Selector, whySelector)
	c.same("status", a.Status, b.Status, whyCluster)
}

// claim: a workspace starts empty and is the agent's alone, so a claim may
// choose its class and size but not whose data it holds.
func (c *checker) claim(a, b *corev1.PersistentVolumeClaim) {
	c.object(a.TypeMeta, b.TypeMeta, a.ObjectMeta, b.ObjectMeta)
	c.contents("spec", a.Spec, b.Spec)
	c.same("spec.volumeMode", a.Spec.VolumeMode, b.Spec.VolumeMode, "agents need a file system")
	c.accessModes(b.Spec.AccessModes)
	c.same("status", a.Status, b.Status, whyCluster)
}

// accessModes: the session-manager and the sandbox mount the workspace at the
// same time, and both write (R8).
func (c *checker) accessModes(modes []corev1.PersistentVolumeAccessMode) {
	if slices.Contains(modes, corev1.ReadWriteOncePod) {
		c.add(Violation{Code: faults.BadAccess, Path: "spec.accessModes", Found: text(modes), Expected: "ReadWriteOnce or ReadWriteMany",
			Message: "the session-manager and the sandbox both mount the workspace", Fix: "use ReadWriteOnce or ReadWriteMany"})
		return
	}
	if slices.Contains(modes, corev1.ReadWriteOnce) || slices.Contains(modes, corev1.ReadWriteMany) {
		return
	}
	c.add(Violation{Code: faults.BadAccess, Path: "spec.accessModes", Found: text(modes), Expected: "ReadWriteOnce or ReadWriteMany",
		Message: "the session-manager and the sandbox both write to the workspace", Fix: "add ReadWriteOnce or ReadWriteMany"})
}
